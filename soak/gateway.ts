import { Effect } from "effect"
import { practiceGateway } from "../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../practice-gateway/src/EmbeddedGateway.ts"

// The soak's gateway: `gateway.ts <port> <token>`; runs until it's killed.
const [port = "0", token = ""] = process.argv.slice(2)

const layer = practiceGateway({ port: Number(port), token, seed: false, record: false, tokenMs: 3 })

Effect.runFork(
  Effect.andThen(
    EmbeddedGateway,
    Effect.sync(() => process.stdout.write("ready\n"))
  ).pipe(Effect.andThen(Effect.never), Effect.provide(layer))
)
