import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeOn } from "../support/describeOn.ts"
import { saidIn, throughConsole } from "../support/throughConsole.ts"

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`a conversation through the console with gateway ${gateway.version}`, () => {
    it.live("send: a message is answered, and both are in the history", () =>
      Effect.gen(function* () {
        const { history, say } = yield* throughConsole(gateway)
        const { ended, sessionKey } = yield* say("good morning")
        const end = yield* ended
        assert.strictEqual(end.payload?.state, "final")
        assert.strictEqual(saidIn(end), "echo: good morning")
        const [question, answer, ...rest] = yield* history(sessionKey)
        assert.match(question ?? "", /^user: [\s\S]*good morning/)
        assert.strictEqual(answer, "assistant: echo: good morning")
        assert.deepStrictEqual(rest, [])
      }).pipe(Effect.scoped)
    )

    it.live("stream: the page sees the answer grow", () =>
      Effect.gen(function* () {
        const { say } = yield* throughConsole(gateway)
        const words = "one two three four five six seven eight nine ten"
        const { ended, events } = yield* say(`[[mock:text=${words}]] [[mock:chunks=20]] [[mock:delay=100]]`)
        assert.strictEqual(saidIn(yield* ended), words)
        const grown = (yield* events).filter(({ payload }) => payload?.state === "delta").map(saidIn)
        const before = grown.filter((text) => text !== words)
        assert.isAtLeast(new Set(before).size, 2)
        assert.deepStrictEqual(
          before,
          before.toSorted((a, b) => a.length - b.length)
        )
        for (const text of before) assert.isTrue(words.startsWith(text), text)
      }).pipe(Effect.scoped)
    )

    it.live("stop: a run ends where it is, and the next message is answered", () =>
      Effect.gen(function* () {
        const { page, say } = yield* throughConsole(gateway)
        const { begun, ended, runId, sessionKey } = yield* say("[[mock:text=never finished]] [[mock:hang]]")
        yield* begun
        assert.deepInclude(yield* page.call("chat.abort", { sessionKey, runId }), { ok: true, aborted: true })
        assert.strictEqual((yield* ended).payload?.state, "aborted")
        const next = yield* say("and now?", sessionKey)
        const end = yield* next.ended
        assert.strictEqual(end.payload?.state, "final")
        assert.strictEqual(saidIn(end), "echo: and now?")
      }).pipe(Effect.scoped)
    )

    it.live("tool: the page sees a command start and end, and the agent what it printed", () =>
      Effect.gen(function* () {
        const { page, say } = yield* throughConsole(gateway)
        const { ended, runId } = yield* say('[[mock:tool=exec {"command":"echo printed-$((40 + 2))"}]]')
        const end = yield* ended
        assert.strictEqual(end.payload?.state, "final")
        assert.include(saidIn(end), "tool said: printed-42")
        const phases = page.frames.flatMap(({ event, payload }) => {
          const data = Object(payload?.data)
          const isIt =
            event === "agent" && payload?.runId === runId && payload.stream === "tool" && data.name === "exec"
          return isIt ? [String(data.phase)] : []
        })
        assert.strictEqual(phases[0], "start")
        assert.strictEqual(phases.at(-1), "result")
      }).pipe(Effect.scoped)
    )
  })
}
