import { afterEach, assert, describe, it } from "@effect/vitest"
import { recordsOf } from "../../../../../src/contract/looseFields.ts"
import { shownAnswer } from "../../../../../src/services/conversations/history/liveMedia.ts"
import type { AssistantItem } from "../../../../src/core/conversation/chatTypes.ts"
import { spokenReply } from "../../../../src/core/voice/spokenText.ts"
import { ChatHarness } from "../../support/chatHarness.ts"
import newer from "./recorded/new.json" with { type: "json" }
import older from "./recorded/old.json" with { type: "json" }

let harness: ChatHarness
afterEach(() => harness.dispose())

const answers = (): ReadonlyArray<AssistantItem> =>
  harness.items.flatMap((item) => (item.kind === "assistant" ? [item] : []))

for (const [protocol, recorded] of [
  [4, newer],
  [3, older]
] as const)
  describe(`files of a running answer, protocol ${protocol}`, () => {
    for (const name of ["after", "before", "only", "two", "relative", "bare", "missing", "files"] as const)
      it(`are places kept free, and shown in them when the answer is over: ${name}`, async () => {
        const { final, history, live } = recorded[name]
        harness = new ChatHarness(protocol)
        await harness.connect()
        const runId = await harness.send("Please do it.")
        const [question, answer] = recordsOf(history.messages)
        // The recorded turn under the id of this one.
        const asked = { ...question, ...(protocol === 4 ? { idempotencyKey: `${runId}:user` } : {}) }
        const meta = recordsOf([answer?.__openclaw])[0]
        const told = { ...answer, __openclaw: { ...meta, ...(protocol === 4 ? { runId } : {}) } }
        const at = Number(answer?.timestamp)
        const turn = harness.turn(runId, at - 10)
        turn.start()
        const seen: Array<string> = []
        for (const data of live) {
          turn.agent("assistant", data)
          await harness.settle()
          for (const item of answers()) seen.push(shownAnswer(item).text)
        }
        for (const text of seen) assert.notMatch(text, /^ME/m, "no line that sends a file is seen while it is written")
        const live0 = answers()[0]
        if (protocol === 4) {
          const places = live0 === undefined ? [] : shownAnswer(live0).media
          assert.isAbove(places.length, 0)
          for (const place of places) assert.deepInclude(place, { pending: true, src: null })
        }
        harness.gateway.messages = [asked, told]
        harness.gateway.historyExtras = { sessionKey: history.sessionKey, sessionId: history.sessionId }
        const message = final === null ? {} : { message: final }
        turn.chat("final", message)
        await harness.pass(5_000)
        assert.lengthOf(answers(), 1)
        const [item] = answers()
        if (live0 !== undefined) assert.strictEqual(item?.key, live0.key, "the same item, so nothing moves")
        assert.isAbove(item?.media?.length ?? 0, 0)
        for (const file of item?.media ?? []) assert.notProperty(file, "pending")
        assert.notMatch(item?.text ?? "", /MEDIA/)
      })

    it("are not read out", async () => {
      assert.strictEqual(await spokenReply("Here it is:\nMEDIA:/tmp/red.png"), "Here it is:")
    })
  })

describe("files that come into the history after the answer", () => {
  const text = (words: string) => ({ type: "text", text: words })
  const url = "/api/chat/media/outgoing/agent%3Amain%3Amain/6af5d6b9-f7ad-4d2d-a9c7-821093e5fc54/full"
  const answer = (content: ReadonlyArray<object>, runId: string) => ({
    role: "assistant",
    content,
    model: "m",
    stopReason: "stop",
    timestamp: 10_050,
    __openclaw: { id: "a", runId }
  })
  const question = (runId: string) => ({
    role: "user",
    content: "A picture",
    timestamp: 10_000,
    idempotencyKey: `${runId}:user`,
    __openclaw: { id: "q" }
  })
  const shown = () => answers().map((item) => [item.text, (item.media ?? []).map(({ src }) => src)])

  const begin = async () => {
    harness = new ChatHarness(4)
    await harness.connect()
    const runId = await harness.send("A picture")
    const turn = harness.turn(runId)
    turn.start()
    turn.text("Here:")
    turn.agent("assistant", { text: "Here:", delta: "", mediaUrls: ["./red.png"] })
    // At first the gateway has not made anything of the line yet, and leaves it out.
    harness.gateway.messages = [question(runId), answer([text("Here:")], runId)]
    turn.final("Here:")
    await harness.settle()
    return runId
  }

  it("have their places until the gateway reports that the message changed", async () => {
    const runId = await begin()
    assert.deepStrictEqual(shown(), [["Here:", [null]]])
    await harness.pass(300)
    harness.gateway.messages = [question(runId), answer([text("Here:"), { type: "image", url, alt: "red.png" }], runId)]
    harness.gateway.socket.event("sessions.changed", { sessionKey: "agent:main:main", phase: "message" })
    await harness.pass(200)
    assert.deepStrictEqual(shown(), [
      ["Here:", ["/api/gateway/media/outgoing/agent%3Amain%3Amain/6af5d6b9-f7ad-4d2d-a9c7-821093e5fc54"]]
    ])
  })

  it("give up their places where none comes", async () => {
    await begin()
    await harness.pass(2_000)
    assert.deepStrictEqual(shown(), [["Here:", []]])
  })
})
