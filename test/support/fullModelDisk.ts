import { mkdirSync, readdirSync } from "node:fs"
import { Effect, PubSub } from "effect"
import { ModelFiles } from "../../src/services/voice/stt/SttSettings.ts"
import { makeApp } from "./makeApp.ts"
import { everyModel } from "./voice/emptyModel.ts"
import { httpStandIn } from "./voice/httpStandIn.ts"

// Downloads a model that's larger than the disk, and prints how it ended and what's left of it.
const disk = process.argv[2] ?? ""
const MODEL = Buffer.alloc(4 * 1024 * 1024, "model")

const program = Effect.gen(function* () {
  mkdirSync(`${disk}/install`)
  const source = yield* httpStandIn((_, response) => response.writeHead(200).end(MODEL))
  const settings = {
    svcHome: `${disk}/svc`,
    installDir: `${disk}/install`,
    sttModelDir: `${disk}/models`,
    sttModelBaseUrl: source.url
  }
  const app = yield* makeApp({ settings }).pipe(Effect.provideService(ModelFiles, everyModel(MODEL)))
  const events = yield* app.events.subscribe
  yield* app.request("/api/transcribe/config", { method: "PUT", body: '{"model":"base"}' })
  for (;;) {
    const { event, data } = yield* PubSub.take(events)
    if (event !== "stt.download" || !("status" in data) || data.status === "downloading") continue
    yield* Effect.sync(() => process.stdout.write(`${JSON.stringify({ data, left: readdirSync(`${disk}/models`) })}\n`))
    return
  }
})

Effect.runFork(Effect.scoped(program))
