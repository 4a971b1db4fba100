import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { consoleWithGateway, readConversation, sendMessage } from "../../support/conversationReader.ts"

const KEY = "agent:main:talk"

describe.each(["old", "new"] as const)("a conversation on a socket, %s generation", (generation) => {
  it.live("begins with a snapshot, grows by patches, and ends in what the history has", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation, tokenMs: 30 })
      const reader = yield* readConversation(ports.http, KEY)
      const first = yield* reader.until(({ head }) => head.status === "ready")
      assert.deepStrictEqual(first.items, [])
      assert.isTrue(first.head.linked)
      const id = yield* sendMessage(base, KEY, "hello there")
      yield* reader.turnEnd
      const [turn] = reader.turns
      const done = yield* reader.until(({ items }) => items.every(({ messageId }) => messageId !== undefined))
      assert.deepStrictEqual(
        done.items.map(({ kind }) => kind),
        ["user", "assistant"]
      )
      assert.strictEqual(turn?.outcome, "done")
      assert.strictEqual(turn?.question, done.items[0]?.key)
      assert.strictEqual(turn?.last, done.items[1]?.key)
      assert.deepInclude(done.items[0], { outboxId: id, delivery: "sent" })
      assert.strictEqual(reader.epochs.length, 1, "one snapshot, then patches")
      const lengths = reader.seen.flatMap(({ items }) =>
        items.flatMap((item) => (item.kind === "assistant" ? [item.text.length] : []))
      )
      assert.isAbove(new Set(lengths).size, 3, "the text grows")
      assert.deepStrictEqual(
        lengths,
        lengths.toSorted((a, b) => a - b)
      )
      const activities = new Set<string>(reader.seen.map(({ head }) => head.activity))
      assert.isTrue(
        ["THINKING", "STREAMING", "DONE"].every((one) => activities.has(one)),
        [...activities].join()
      )
      yield* reader.until(({ head }) => head.activity === "IDLE")
      const second = yield* readConversation(ports.http, KEY)
      assert.deepStrictEqual((yield* second.until(() => true)).items, reader.state?.items)
    })
  )

  it.live("shows a tool's arguments and output while it runs, of a message that the outbox sent", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation, tokenMs: 20 })
      const reader = yield* readConversation(ports.http, KEY)
      yield* reader.until(({ head }) => head.status === "ready")
      yield* sendMessage(base, KEY, "use a tool to look something up")
      // An older gateway gives the output with its history.
      const running = yield* reader.until(
        ({ head, items }) =>
          head.running && items.some((item) => item.kind === "tool" && (item.output !== "" || generation === "old"))
      )
      const tool = running.items.find(({ kind }) => kind === "tool")
      assert.deepInclude(tool, { name: "exec", args: { command: "uname -s && nproc" } })
      assert.isUndefined(tool?.messageId, "the history has nothing of it yet")
      yield* reader.turnEnd
    })
  )

  it.live("a client that has the newest state hears so; one that has another gets all", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation })
      const reader = yield* readConversation(ports.http, KEY)
      yield* reader.until(({ head }) => head.status === "ready")
      yield* sendMessage(base, KEY, "hello")
      yield* reader.turnEnd
      yield* reader.until(({ head, items }) => head.activity === "IDLE" && items.every(({ messageId }) => messageId))
      const have = { e: reader.epochs.at(-1) ?? "", s: reader.number }
      const again = yield* readConversation(ports.http, KEY, { have })
      assert.deepInclude(yield* again.take, { t: "same", c: 1, ...have })
      const other = yield* readConversation(ports.http, KEY, { have: { ...have, s: 0 } })
      assert.strictEqual((yield* other.take).t, "snapshot")
    })
  )
})

describe.each(["old", "new"] as const)("a conversation through what breaks, %s generation", (generation) => {
  it.live("after a kill of the gateway in an answer, the state is what the history has", () =>
    Effect.gen(function* () {
      const { base, gateway, isConnected, ports } = yield* consoleWithGateway({ generation, tokenMs: 30 })
      const reader = yield* readConversation(ports.http, KEY)
      yield* reader.until(({ head }) => head.status === "ready")
      yield* sendMessage(base, KEY, "show me some markdown")
      yield* reader.until(({ items }) => items.some(({ kind }) => kind === "assistant"))
      yield* gateway.stop
      yield* reader.until(({ head }) => !head.linked)
      yield* gateway.start
      yield* isConnected
      const after = yield* reader.until(({ head }) => head.linked && !head.running && head.activity === "IDLE")
      assert.deepInclude(after.items[0], { kind: "user", text: "show me some markdown" })
      assert.strictEqual(new Set(after.items.map(({ key }) => key)).size, after.items.length, "nothing is there twice")
      assert.isTrue(after.items.every((item) => !("streaming" in item) || !item.streaming))
    })
  )

  it.live("a turn that a tab stops says which one, to every tab", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation, tokenMs: 60 })
      const reader = yield* readConversation(ports.http, KEY)
      yield* reader.until(({ head }) => head.status === "ready")
      yield* sendMessage(base, KEY, "show me some markdown")
      yield* reader.until(({ items }) => items.some(({ kind }) => kind === "assistant"))
      const stopped = yield* Effect.promise(() =>
        fetch(`${base}/api/sessions/stop`, {
          method: "POST",
          body: JSON.stringify({ sessionKey: KEY, tab: "k3" }),
          headers: { "content-type": "application/json" }
        }).then((answer) => answer.status)
      )
      assert.strictEqual(stopped, 200)
      yield* reader.turnEnd
      assert.deepInclude(reader.turns[0], { outcome: "aborted", stoppedBy: "k3" })
      assert.isTrue(reader.seen.some(({ head }) => head.stopping))
      assert.isFalse(reader.state?.head.running)
    })
  )

  it.live("a tab that nobody sees gets one patch for what it missed in a second", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation, tokenMs: 5 })
      const quick = yield* readConversation(ports.http, KEY)
      const slow = yield* readConversation(ports.http, KEY, { rate: "slow" })
      yield* quick.until(({ head }) => head.status === "ready")
      yield* slow.until(({ head }) => head.status === "ready")
      yield* sendMessage(base, KEY, "show me some markdown")
      yield* quick.turnEnd
      yield* slow.turnEnd
      assert.isBelow(slow.patches, quick.patches / 2)
      assert.deepStrictEqual(
        slow.state?.items.map(({ key }) => key),
        quick.state?.items.map(({ key }) => key)
      )
    })
  )
})

it.live("what isn't there is gone, and what isn't a frame ends the socket", () =>
  Effect.gen(function* () {
    const { ports } = yield* consoleWithGateway({ generation: "new" })
    const gone = yield* readConversation(ports.http, "@nobody:agent:main:main")
    assert.deepStrictEqual(yield* gone.take, { t: "gone", c: 1, why: { code: "UNKNOWN_GATEWAY" } })
    yield* gone.live.send({ t: "open", c: 2, topic: "conversation", key: KEY })
    assert.strictEqual((yield* gone.live.ended).code, 4400)
  })
)
