import { writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Ref, Result, Schema, Sink, Stdio, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { askConsole } from "../../src/cli/askConsole.ts"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { bridgeTo } from "../../src/cli/mcpBridge.ts"
import { temporaryFolder } from "../support/fileServices.ts"
import { httpStandIn } from "../support/voice/httpStandIn.ts"

const STATUSES = [301, 302, 303, 307, 308]

/** Two servers: the first leads everything to the second. */
const redirecting = Effect.fnUntraced(function* (status: number) {
  const elsewhere = yield* httpStandIn((_, response) => response.end("{}"))
  const first = yield* httpStandIn((request, response) =>
    response.writeHead(status, { location: `${elsewhere.url}${request.url}` }).end()
  )
  return { url: first.url, elsewhere }
})

it.live.each(STATUSES)("a command's secret doesn't follow a redirect with status %i", (status) =>
  Effect.gen(function* () {
    const { elsewhere, url } = yield* redirecting(status)
    const folder = yield* temporaryFolder
    writeFileSync(`${folder}/local-access.json`, JSON.stringify({ address: url, secret: "a secret" }), {
      mode: 0o600
    })
    const asking = { method: "GET", path: "/api/gateways", answer: Schema.Unknown, what: "answer" } as const
    const result = yield* Effect.result(askConsole(folder, { ...asking, exitCode: exitCodes.gateway }))
    assert.deepStrictEqual(elsewhere.seen, [])
    assert.include(Result.isFailure(result) && result.failure.message, String(status))
  }).pipe(Effect.provide([FetchHttpClient.layer, NodeServices.layer]))
)

it.live.each(STATUSES)(
  "an agent's token doesn't follow a redirect with status %i, and the agent gets the reason",
  (status) =>
    Effect.gen(function* () {
      const { elsewhere, url } = yield* redirecting(status)
      const output = yield* Ref.make("")
      const take = Sink.forEachArray((parts) => Ref.update(output, (text) => text + parts.join("")))
      const terminal = Stdio.layerTest({
        stdin: Stream.make(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')),
        stdout: () => take
      })
      yield* bridgeTo(Effect.succeed(url), Redacted.make("a token")).pipe(Effect.provide(terminal))
      assert.deepStrictEqual(elsewhere.seen, [])
      assert.include(yield* Ref.get(output), "answers with a redirect")
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped)
)
