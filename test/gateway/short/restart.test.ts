import { assert, inject, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { freePort } from "../../support/freePort.ts"
import { describeOn } from "../support/describeOn.ts"
import { startMortalGateway } from "../support/realGateway.ts"
import { temporaryDirectory } from "../support/temporaryDirectory.ts"
import { patiently, saidIn, throughConsole } from "../support/throughConsole.ts"

/** A newer gateway needs its time to start, twice. */
const LIMIT = 400_000
const Health = Schema.Struct({ gateway: Schema.String })
const SLOWLY = "[[mock:text=one two three four five six seven eight]] [[mock:chunks=8]] [[mock:delay=2000]]"

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`gateway ${version}, killed behind the console and started again`, () => {
    it.live(
      "restart in the middle of an answer: the console is back by itself, and the next message answered once",
      () =>
        Effect.gen(function* () {
          // A gateway of its own: the others' would take their answers with it.
          const home = yield* temporaryDirectory
          const options = { version, home, port: yield* Effect.promise(freePort), token: "mortal-token" }
          const { gateway, kill } = yield* startMortalGateway(options)
          const { history, openPage, page, read, say } = yield* throughConsole(gateway)
          const gatewayIs = (state: string) => patiently(read("/health", Health), (health) => health.gateway === state)
          yield* gatewayIs("ok")
          const first = yield* say("hello")
          assert.strictEqual(saidIn(yield* first.ended), "echo: hello")
          const { begun } = yield* say(SLOWLY, first.sessionKey)
          assert.match(saidIn(yield* begun), /^one/)

          yield* kill
          yield* page.closed
          yield* gatewayIs("unreachable")
          yield* startMortalGateway(options)
          yield* gatewayIs("ok")
          const again = yield* openPage
          yield* say("and now? [[mock:text=fine]]", first.sessionKey, again)
          // A newer gateway takes up the answer that was cut off, and answers the next message after it in a run of its own.
          const written = yield* patiently(history(first.sessionKey, again), (lines) =>
            lines.includes("assistant: fine")
          )
          const count = (isIt: (line: string) => boolean) => written.filter(isIt).length
          assert.strictEqual(
            count((line) => line === "assistant: echo: hello"),
            1
          )
          assert.strictEqual(
            count((line) => line === "assistant: fine"),
            1
          )
          assert.strictEqual(
            count((line) => /^user: [\s\S]*and now\?/.test(line)),
            1
          )
        }).pipe(Effect.scoped),
      LIMIT
    )
  })
}
