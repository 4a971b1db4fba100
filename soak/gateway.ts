import { Effect } from "effect"
import { EmbeddedGateway } from "../src/services/embedded-gateway/EmbeddedGateway.ts"

// The gateway of the soak: `gateway.ts <port> <token>`; runs until it is killed.
const [port = "0", token = ""] = process.argv.slice(2)

const layer = EmbeddedGateway.layer({ port: Number(port), token, seed: false, record: false, tokenMs: 3 })

Effect.runFork(
  Effect.andThen(
    EmbeddedGateway,
    Effect.sync(() => process.stdout.write("ready\n"))
  ).pipe(Effect.andThen(Effect.never), Effect.provide(layer))
)
