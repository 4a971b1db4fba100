import { assert, describe, it } from "@effect/vitest"
import { decodeHistory, withoutEnvelopes } from "../../../../../src/services/conversations/history/chatHistory.ts"
import type { ChatItem, ChatMedia } from "../../../../src/core/conversation/chatTypes.ts"
import { shownItem } from "../../../../src/core/conversation/shownChat.ts"
import newer from "./recorded/new.json" with { type: "json" }
import older from "./recorded/old.json" with { type: "json" }

const itemsOf = (answer: unknown): ReadonlyArray<ChatItem> =>
  decodeHistory(answer).entries.map(({ item }) => shownItem(item))

/** A file in short: its kind, name, and where it is shown from or why it is not. */
const short = ({ kind, name, problem, src }: ChatMedia) =>
  `${kind ?? "picture"} ${name}: ${src ?? problem ?? "not shown"}`

/** What an agent's answer shows: its words, then its files. */
const answerOf = (answer: unknown): ReadonlyArray<string> =>
  itemsOf(answer).flatMap((item) => (item.kind === "assistant" ? [item.text, ...(item.media ?? []).map(short)] : []))

const picturesOf = (answer: unknown): ReadonlyArray<string> =>
  itemsOf(answer).flatMap((item) => (item.kind === "user" ? [item.text, ...item.images.map(short)] : []))

const OUTGOING = "/api/gateway/media/outgoing"
const RED = `/api/files?path=${encodeURIComponent("/home/ada/.openclaw/workspace/red.png")}`
const BLUE = `/api/files?path=${encodeURIComponent("/home/ada/.openclaw/workspace/blue.png")}`

describe("a newer gateway's history", () => {
  it("has the files of an agent where the gateway serves them", () => {
    assert.deepStrictEqual(answerOf(newer.after.history), [
      "Here it is:",
      `picture red.png: ${OUTGOING}/agent%3Amain%3Aafter/6af5d6b9-f7ad-4d2d-a9c7-821093e5fc54`
    ])
    assert.deepStrictEqual(answerOf(newer.only.history), [
      "",
      `picture red.png: ${OUTGOING}/agent%3Amain%3Aonly/360acb81-fea9-4ead-8b1c-8376712e9429`
    ])
    assert.deepStrictEqual(answerOf(newer.two.history), [
      "Two:\nDone.",
      `picture red.png: ${OUTGOING}/agent%3Amain%3Atwo/975b9cfb-bffb-4de9-a1f4-a285b4b647cf`,
      `picture blue.png: ${OUTGOING}/agent%3Amain%3Atwo/682865a1-885a-4e62-a61c-333f37a2a530`
    ])
    assert.deepStrictEqual(answerOf(newer.files.history), [
      "Files:",
      `file doc.pdf: ${OUTGOING}/agent%3Amain%3Afiles/79c34f36-b9d1-4f28-9495-5b8228f727c9`,
      "file notes.txt: not shown",
      `audio tone.wav: ${OUTGOING}/agent%3Amain%3Afiles/8ea3e9d8-1021-41f1-a479-d28ce270464a`
    ])
    assert.deepStrictEqual(answerOf(newer.missing.history), ["Gone:", "picture nothing.png: no longer available"])
  })

  it("has the pictures of a person under the gateway's names", () => {
    assert.deepStrictEqual(picturesOf(newer.person.history), [
      "What is this?",
      "picture picture: /api/gateway/media/inbound/3e112dd3-df15-496c-a37e-94933252b538.png"
    ])
    assert.deepStrictEqual(picturesOf(newer["person-two"].history), [
      "And these?",
      "picture picture 1: /api/gateway/media/inbound/12aefe1e-a9a2-4ee0-8084-e020407097a4.png",
      "picture picture 2: /api/gateway/media/inbound/980b5ac7-2e54-478b-987b-ccb936421eaf.png"
    ])
    assert.lengthOf(picturesOf(newer["person-silent"].history), 2)
  })

  it("distinguishes the gateway's own messages from people's", () => {
    const [asked, resumed, answer] = itemsOf(newer.restart.history)
    assert.strictEqual(asked?.kind, "user")
    assert.strictEqual(answer?.kind, "assistant")
    assert.strictEqual(resumed?.kind, "note")
    if (resumed?.kind !== "note") return
    assert.strictEqual(resumed.from, "The gateway")
    assert.match(resumed.text, /^Your previous turn was interrupted by a gateway restart/)
    const [forwarded, reply] = itemsOf(newer.forwarded.history)
    assert.deepInclude(forwarded, {
      kind: "note",
      from: "Forwarded from main",
      text: "greetings from the other session"
    })
    assert.deepInclude(reply, { kind: "assistant", text: "echo: greetings from the other session" })
    assert.isTrue(decodeHistory(newer.forwarded.history).endsLast)
    const begun = { ...newer.forwarded.history, messages: newer.forwarded.history.messages.slice(0, 1) }
    assert.isFalse(decodeHistory(begun).endsLast, "a forwarded message begins a turn")
  })

  it("says which messages it left out, and whose question one was", () => {
    assert.deepInclude(itemsOf(newer.long.history)[0], { kind: "assistant", text: "", isCut: true })
    const [question] = decodeHistory(newer.question.history).entries
    assert.deepInclude(question?.item, { kind: "user", text: "", isCut: true })
    assert.strictEqual(question?.runId, "8ccadeb6-2243-47c9-9db0-41cb234a1c74")
  })
})

describe("an older gateway's history", () => {
  it("has the lines by which an agent sends files; pictures among them come from the disk", () => {
    assert.deepStrictEqual(answerOf(older.after.history), ["Here it is:", `picture red.png: ${RED}`])
    assert.deepStrictEqual(answerOf(older.before.history), ["That was it.", `picture red.png: ${RED}`])
    assert.deepStrictEqual(answerOf(older.only.history), ["", `picture red.png: ${RED}`])
    assert.deepStrictEqual(answerOf(older.two.history), [
      "Two:\nDone.",
      `picture red.png: ${RED}`,
      `picture blue.png: ${BLUE}`
    ])
    assert.deepStrictEqual(answerOf(older.relative.history), ["Rel:", "picture red.png: /api/files?path=.%2Fred.png"])
    assert.deepStrictEqual(answerOf(older.bare.history), ["Bare:", "picture red.png: /api/files?path=red.png"])
    assert.deepStrictEqual(answerOf(older.files.history), [
      "Files:",
      "file doc.pdf: only on the gateway's machine",
      "file notes.txt: only on the gateway's machine",
      "audio tone.wav: only on the gateway's machine"
    ])
  })

  it("has the pictures of a person in the transcript", () => {
    const place = `/api/gateway/media/message/main/${older["person-two"].history.sessionId}/88376749`
    assert.deepStrictEqual(picturesOf(older["person-two"].history), [
      "And these?",
      `picture picture 1: ${place}/0`,
      `picture picture 2: ${place}/1`
    ])
    assert.match(picturesOf(older["person-silent"].history).join("|"), /^\|picture picture: /)
  })

  it("gives pictures themselves where messages come as they are stored", () => {
    const [text, picture] = picturesOf(withoutEnvelopes(older.person.get))
    assert.strictEqual(text, "What is this?")
    assert.match(picture ?? "", /^picture picture: data:image\/png;base64,iVBOR/)
  })

  it("shows events before a message, which is unwrapped", () => {
    const shown = [
      "user hello",
      "The gateway: Model switched to mock/mock-think.",
      "user after",
      "The gateway: Compacted (7.5k before) • Context 7.5k/128k (6%)",
      "user after compact"
    ]
    for (const answer of [older.events.history, withoutEnvelopes(older.events.get)])
      assert.deepStrictEqual(
        itemsOf(answer).map((item) =>
          item.kind === "note" ? `${item.from}: ${item.text}` : item.kind === "user" ? `user ${item.text}` : item.kind
        ),
        shown
      )
    const [event, prompt, ...rest] = itemsOf(older.fresh.history)
    assert.deepInclude(event, { kind: "note", text: "Compacted • Context 7.5k/128k (6%)" })
    assert.strictEqual(prompt?.kind, "note")
    if (prompt?.kind === "note") assert.match(prompt.text, /^A new session was started via \/new or \/reset\./)
    assert.deepStrictEqual(rest, [])
  })

  it("leaves out a helper's report, of which the agent speaks", () => {
    assert.deepStrictEqual(
      itemsOf(older.announce.history).map(({ kind }) => kind),
      ["assistant"]
    )
  })

  it("says which texts it cut", () => {
    const [answer] = itemsOf({
      messages: [
        {
          role: "assistant",
          content: [{ type: "text", text: `${"x".repeat(12_000)}\n...(truncated)...` }],
          __openclaw: { id: "79345d3a", seq: 2 }
        }
      ]
    })
    assert.deepInclude(answer, { kind: "assistant", text: "x".repeat(12_000), isCut: true })
    const [short] = itemsOf({ messages: [{ role: "assistant", content: "I say: \n...(truncated)..." }] })
    assert.deepInclude(short, { kind: "assistant", text: "I say: \n...(truncated)..." })
    assert.notProperty(short, "isCut")
  })
})

describe("both", () => {
  it("leave lines in code, and in the middle of a sentence, alone", () => {
    for (const { fence, inline } of [newer, older]) {
      const code = answerOf(fence.history)
      assert.lengthOf(code, 1)
      assert.match(code[0] ?? "", /^Say:\n```\nMEDIA:\/home\/ada\/.*red\.png\n```\nok$/)
      const sentence = answerOf(inline.history)
      assert.lengthOf(sentence, 1)
      assert.match(sentence[0] ?? "", /^Write MEDIA:.* like so$/)
    }
  })
})
