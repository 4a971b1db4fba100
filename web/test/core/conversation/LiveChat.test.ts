import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { ConversationHead, ConversationItem } from "../../../../src/contract/schema/conversation.ts"
import type { ChatStore, TurnEnd } from "../../../src/core/conversation/chatTypes.ts"
import { createLiveChat } from "../../../src/core/conversation/LiveChat.ts"
import { createLiveLink, type LiveLink } from "../../../src/core/link/LiveLink.ts"
import type { OutboxMessage } from "../../../src/core/outbox/outboxMessage.ts"
import { asAnswer } from "../support/asAnswer.ts"
import { shortOf } from "../support/chatHarness.ts"
import { FakeGateway } from "../support/FakeGateway.ts"
import { liveHead } from "../support/liveHead.ts"

const KEY = "agent:main:main"
const PICTURE = { mimeType: "image/png", fileName: "dot.png", content: "AAAA" }

type ItemOf<Kind extends ConversationItem["kind"]> = Extract<ConversationItem, { kind: Kind }>

const question = (id: string, text: string, more: Partial<ItemOf<"user">> = {}): ConversationItem => ({
  kind: "user",
  key: `u:${id}`,
  at: 1,
  text,
  media: [],
  delivery: "sent",
  outboxId: id,
  ...more
})
const answer = (key: string, text: string, more: Partial<ItemOf<"assistant">> = {}): ConversationItem => ({
  kind: "assistant",
  key,
  at: 2,
  text,
  streaming: false,
  ...more
})

let browser: FakeGateway
let live: LiveLink
let chat: ChatStore
let follow: (messages: ReadonlyArray<OutboxMessage>) => void
let sent: ReadonlyArray<{ readonly id: string; readonly text: string }>
let requests: Array<unknown>
let answers: Record<string, unknown>
let stopWatching: () => void

const message = (id: string, state: OutboxMessage["state"], more: Partial<OutboxMessage> = {}): OutboxMessage => ({
  id,
  sessionKey: KEY,
  runId: id,
  text: "Hi",
  mode: "next",
  position: 0,
  notBefore: null,
  at: 1,
  state,
  error: null,
  files: [],
  ...more
})

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  browser = new FakeGateway()
  browser.live.isThere = true
  live = createLiveLink(browser.env)
  sent = []
  requests = []
  answers = {}
  chat = createLiveChat({
    live,
    env: browser.env,
    sessionKey: KEY,
    outbox: {
      send: (written) => {
        sent = [...sent, written]
      },
      follow: (_, listener) => {
        follow = listener
        return () => {}
      },
      act: async () => ({ ok: false, message: "not here" })
    },
    api: {
      request: async (method, path, read, { body } = {}) => {
        requests.push([method, path, body])
        const found = answers[path.split("?")[0] ?? ""]
        const value = read(asAnswer(found ?? {}))
        if (value === null) throw new Error(`no answer to ${path}`)
        return { ok: true, value }
      }
    }
  })
  live.start()
  await vi.advanceTimersByTimeAsync(0)
  stopWatching = chat.state.subscribe(() => {})
})
afterEach(() => {
  chat.dispose()
  live.stop()
  vi.useRealTimers()
})

let number = 0
const snapshot = (items: ReadonlyArray<ConversationItem>, head: Partial<ConversationHead> = {}, e = "e") =>
  browser.live.socket.deliver({ t: "snapshot", c: 1, e, s: ++number, state: { items, head: liveHead(head) } })
const patch = (fields: object) => browser.live.socket.deliver({ t: "patch", c: 1, s: ++number, ...fields })
const shown = () => chat.state.get().items.map(shortOf)

describe("a conversation that the console keeps", () => {
  it("is asked for once when it's brought up to date after nobody looked at it", async () => {
    snapshot([answer("a", "Hello")])
    stopWatching()
    const opens = () => browser.live.socket.frames.filter(({ t }) => t === "open")
    const before = opens().length
    const current = chat.resync()
    await vi.advanceTimersByTimeAsync(0)
    assert.lengthOf(opens(), before + 1)
    assert.deepStrictEqual(opens().at(-1)?.have, { e: "e", s: number })
    browser.live.socket.deliver({ t: "same", c: 1, e: "e", s: number })
    await current
    assert.lengthOf(opens(), before + 1)
  })

  it("keeps nobody waiting who wanted it up to date when it's given up", async () => {
    const current = chat.resync()
    chat.dispose()
    await current
  })

  it("shows its items as they change, with a tool's arguments and output while it runs", () => {
    assert.strictEqual(chat.state.get().status, "loading")
    snapshot([question("q", "Count"), answer("a/0", "One")], { running: true, activity: "STREAMING" })
    patch({ ops: [{ op: "add", key: "a/0", field: "text", at: 3, text: ", two" }] })
    const tool = { kind: "tool", key: "a/1", at: 3, callId: "1", name: "exec", args: { command: "nproc" }, output: "2" }
    patch({ ops: [{ op: "put", item: { ...tool, status: "running" } }] })
    patch({ ops: [{ op: "add", key: "a/1", field: "output", at: 1, text: " cores" }] })
    assert.deepStrictEqual(shown(), ["user: Count", "assistant: One, two", "tool exec running: 2 cores"])
    assert.deepInclude(chat.state.get(), { status: "ready", running: true, activity: "STREAMING", linked: true })
    browser.live.socket.drop()
    assert.isFalse(chat.state.get().linked)
  })

  it("shows what the console doesn't have yet, once, under the key that it gets there", () => {
    snapshot([question("q", "Count")])
    chat.send("Next", [PICTURE])
    const [written] = sent
    const id = written?.id ?? ""
    assert.deepStrictEqual(shown(), ["user: Count", "user(sending): Next"])
    follow([message(id, "away", { text: "Next" })])
    const away = chat.state.get().items[1]
    assert.deepStrictEqual(away?.kind === "user" && away.waits?.state, "away")
    // The answer was lost: the console has it, and the page doesn't know.
    const media = [{ name: "dot.png", type: "image", src: `/api/outbox/${id}/attachments/0` }]
    patch({ ops: [{ op: "put", item: { ...question(id, "Next", { delivery: "sending" }), media } }] })
    assert.deepStrictEqual(shown(), ["user: Count", "user(sending): Next"])
    const has = chat.state.get().items[1]
    assert.strictEqual(has?.key, away?.key)
    assert.deepStrictEqual(has?.kind === "user" && has.images, [{ name: "dot.png", src: "data:image/png;base64,AAAA" }])
    const stored = [{ ...media[0], src: "/api/gateway/media/outgoing/1" }]
    patch({ ops: [{ op: "set", key: `u:${id}`, fields: { delivery: "sent", media: stored } }] })
    follow([])
    assert.deepStrictEqual(shown(), ["user: Count", "user: Next"])
    const done = chat.state.get().items[1]
    assert.deepStrictEqual(done?.kind === "user" && done.images[0]?.src, "/api/gateway/media/outgoing/1")
  })

  it("keeps showing what was written while the console's state isn't known, and drops what it's done with", async () => {
    snapshot([])
    chat.send("Next")
    const id = sent[0]?.id ?? ""
    follow([message(id, "waiting")])
    browser.live.socket.drop()
    follow([])
    assert.deepStrictEqual(
      shown(),
      ["user(sending): Next"].map((text) => text.replace("Next", "Hi"))
    )
    await vi.advanceTimersByTimeAsync(1000)
    browser.live.socket.deliver({ t: "same", c: 1, e: "e", s: number })
    assert.deepStrictEqual(shown(), [])
  })

  it("says of a held message what keeps it", () => {
    const waits = { mode: "steer", position: 1, state: "waiting" } as const
    snapshot([question("h", "Later", { delivery: "held", waits })], { queued: 1 })
    follow([message("h", "waiting", { held: { by: "stop" } })])
    const [held] = chat.state.get().items
    assert.deepStrictEqual(held?.kind === "user" && held.waits, {
      id: "h",
      notBefore: null,
      ...waits,
      held: { by: "stop" }
    })
  })

  it("loads older pages by their cursors, and a whole message under its key", async () => {
    snapshot([answer("b", "Half", { messageId: "m", cut: true })], { older: "c1" })
    assert.isTrue(chat.state.get().hasOlder)
    answers["/api/sessions/messages"] = { items: [answer("a", "Before", { messageId: "l" })], older: null }
    const loading = chat.loadOlder()
    assert.isTrue(chat.state.get().loadingOlder)
    await loading
    assert.deepStrictEqual(shown(), ["assistant: Before", "assistant: Half"])
    assert.isFalse(chat.state.get().hasOlder)
    assert.deepStrictEqual([chat.messageOf("a"), chat.keysOf("m")], ["l", ["b"]])
    answers["/api/sessions/message"] = { items: [answer("b", "Half and half", { messageId: "m" })] }
    assert.isTrue((await chat.readWhole("b")).ok)
    assert.deepStrictEqual(shown(), ["assistant: Before", "assistant: Half and half"])
    assert.deepStrictEqual(requests, [
      ["GET", "/api/sessions/messages?sessionKey=agent%3Amain%3Amain&before=c1", undefined],
      ["GET", "/api/sessions/message?sessionKey=agent%3Amain%3Amain&id=m", undefined]
    ])
  })

  it("tells of a turn's end, unless this tab stopped it", async () => {
    const turns: Array<TurnEnd> = []
    chat.onTurnEnd((turn) => turns.push(turn))
    snapshot([question("q", "Count"), answer("a/0", "One"), answer("a/1", "Two")])
    const turn = { t: "turn", c: 1, runId: "a", outcome: "done", last: "a/1", question: "u:q" }
    browser.live.socket.deliver(turn)
    browser.live.socket.deliver({ ...turn, outcome: "aborted", stoppedBy: live.tab })
    assert.deepStrictEqual(turns, [{ sessionKey: KEY, outcome: "done", text: "One\n\nTwo", question: "Count" }])
    await chat.abort()
    assert.deepStrictEqual(requests, [["POST", "/api/sessions/stop", { sessionKey: KEY, tab: live.tab }]])
  })

  it("is heard of while somebody looks at it, once a second in a hidden tab", () => {
    snapshot([answer("a", "Hi")])
    browser.show(false)
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "set", c: 1, rate: "slow" })
    browser.show(true)
    stopWatching()
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "close", c: 1 })
    assert.deepStrictEqual(shown(), ["assistant: Hi"])
    chat.state.subscribe(() => {})
    const have = { e: "e", s: number }
    const open = { t: "open", c: 1, topic: "conversation", key: KEY, rate: "live", have }
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), open)
  })

  it("says why there's nothing to show", async () => {
    browser.live.socket.deliver({ t: "gone", c: 1, why: { code: "NOT_TRUSTED" } })
    await vi.dynamicImportSettled()
    const { message, status } = chat.state.get()
    assert.strictEqual(status, "failed")
    assert.include(message, "the gateway's token is needed")
  })
})
