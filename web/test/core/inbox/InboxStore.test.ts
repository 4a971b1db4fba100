import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { createInbox, type Inbox } from "../../../src/core/inbox/createInbox.ts"
import type { InboxItem } from "../../../src/core/inbox/inboxTypes.ts"
import { questionNoteText } from "../../../src/core/inbox/outcomeText.ts"
import { createApiClient } from "../../../src/core/link/ApiClient.ts"
import type { EventListener } from "../../../src/core/link/apiTypes.ts"
import type { GatewayEventFrame } from "../../../src/core/link/linkTypes.ts"
import { inboxItem, questionItem, questionPart } from "../../support/inboxItem.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

/** What the page shows of something as null, the server leaves out. */
const asSent = (shown: unknown) => JSON.parse(JSON.stringify(shown), (_, value) => value ?? undefined)

const KEY = "agent:main:a"

interface Call {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** A page's inbox in front of a scripted server. */
class Page {
  items: ReadonlyArray<InboxItem> = []
  readonly calls: Array<Call> = []
  /** What the server says to a decision; by default the item as decided. */
  decide: (id: string, body: { readonly action: string }) => Response = (id, { action }) =>
    Response.json(this.ended(id, { action }))
  fails = false
  readonly connected = createObservable(false)
  readonly inbox: Inbox
  private tell: EventListener = () => {}
  private frame: (frame: GatewayEventFrame) => void = () => {}

  constructor() {
    const env = {
      ...new FakeGateway().env,
      fetch: async (url: string, init: RequestInit) => {
        const answer = await this.fetch(url, init)
        return Response.json(asSent(await answer.json()), { status: answer.status })
      }
    }
    this.inbox = createInbox({
      env,
      api: createApiClient(env),
      events: {
        connected: this.connected,
        on: (_, listener) => {
          this.tell = listener
          return () => {}
        }
      },
      link: {
        onEvent: (listener) => {
          this.frame = listener
          return () => {}
        }
      }
    })
  }

  private fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url)
    const body = typeof init.body === "string" ? JSON.parse(init.body) : null
    this.calls.push({ method: init.method ?? "GET", path: pathname, body })
    if (this.fails) return Response.json({ error: "no" }, { status: 500 })
    const [, id = ""] = /^\/api\/inbox\/(.*)\/resolve$/.exec(pathname) ?? []
    if (id !== "") return this.decide(decodeURIComponent(id), body)
    if (pathname === "/api/inbox/seen") return Response.json({ error: "not_found" }, { status: 404 })
    const [offset, limit] = [Number(searchParams.get("offset")), Number(searchParams.get("limit"))]
    const { length } = this.items
    return Response.json({ items: this.items.slice(offset, offset + limit), total: length, open: length })
  }

  ended(id: string, change: Partial<NonNullable<InboxItem["resolution"]>> = {}): InboxItem {
    const found = this.items.find((item) => item.id === id) ?? inboxItem({ id })
    const resolution = { action: "deny", at: 5, by: "console", answer: null, ...change } as const
    return { ...found, state: "resolved", actions: [], resolution }
  }

  async connect(...items: ReadonlyArray<InboxItem>): Promise<void> {
    this.items = items
    this.connected.set(true)
    await this.settle()
  }

  settle = async (): Promise<void> => {
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(1)
  }

  changed(item: InboxItem): void {
    this.tell({ event: "inbox.changed", data: asSent({ action: "resolved", item }), ts: 0 })
  }

  aborted(sessionKey = KEY): void {
    this.frame({ event: "chat", payload: { state: "aborted", sessionKey }, seq: null })
  }

  ids = () => this.inbox.open.get().map(({ id }) => id)
  notes = () => this.inbox.notes.get().map((note) => [note.id, questionNoteText(note)])
  decisions = () => this.calls.filter(({ path }) => path.endsWith("/resolve"))
}

let page: Page

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  page = new Page()
})

afterEach(() => {
  page.inbox.dispose()
  vi.useRealTimers()
})

describe("what waits for a person", () => {
  it("is read with the first connection, the nearest deadline first, and follows events", async () => {
    assert.isUndefined(page.inbox.failure.get())
    await page.connect(
      inboxItem({ id: "old", createdAt: 1 }),
      inboxItem({ id: "late", expiresAt: 3_000_000 }),
      inboxItem({ id: "soon", expiresAt: 2_000_000, sessionKey: "agent:main:b" })
    )
    assert.deepStrictEqual(page.ids(), ["soon", "late", "old"])
    assert.deepStrictEqual([...page.inbox.keys.get()], ["agent:main:b", KEY])
    assert.isNull(page.inbox.failure.get())
    page.changed(inboxItem({ id: "new", createdAt: 9 }))
    assert.deepStrictEqual(page.ids(), ["soon", "late", "old", "new"])
    page.changed(page.ended("late", { by: "elsewhere" }))
    assert.deepStrictEqual(page.ids(), ["soon", "old", "new"])
  })

  it("is read in pages, and again on every connection", async () => {
    await page.connect(...Array.from({ length: 450 }, (_, index) => inboxItem({ id: `i${index}`, createdAt: index })))
    assert.lengthOf(page.ids(), 450)
    assert.lengthOf(page.calls, 3)
    page.connected.set(false)
    await page.connect(inboxItem({ id: "missed" }))
    assert.deepStrictEqual(page.ids(), ["missed"])
  })

  it("says why it couldn't be read, until it can", async () => {
    page.fails = true
    await page.connect()
    assert.isString(page.inbox.failure.get())
    page.fails = false
    const store = await page.inbox.load()
    await store.read()
    assert.isNull(page.inbox.failure.get())
  })

  it("ends by the clock only where the server's word for it was missed", async () => {
    await page.connect({ ...questionItem(questionPart()), expiresAt: 1_060_000 })
    await vi.advanceTimersByTimeAsync(62_000)
    assert.deepStrictEqual(page.ids(), ["q"])
    await vi.advanceTimersByTimeAsync(4_000)
    assert.deepStrictEqual(page.ids(), [])
    assert.deepStrictEqual(page.notes(), [["q", "You didn't answer in time. The agent continued without an answer."]])
  })
})

describe("a session whose agent was denied something", () => {
  const denied = () => [...page.inbox.denied.get()]

  it("stays denied until the next request in the session is allowed", async () => {
    await page.connect(inboxItem({ createdAt: 5 }), inboxItem({ id: "next", createdAt: 9 }))
    page.changed(page.ended("one", { action: "deny", by: "elsewhere" }))
    assert.deepStrictEqual(denied(), [[KEY, 5]])
    page.changed(page.ended("next", { action: "allow-once" }))
    assert.deepStrictEqual(denied(), [])
  })

  it("is one where nobody answered in time, and never one whose question was skipped", async () => {
    await page.connect(inboxItem({ createdAt: 5 }), { ...questionItem(questionPart()), sessionKey: "agent:main:b" })
    page.changed(page.ended("q", { action: "skip" }))
    page.changed({ ...page.ended("one", { by: "timeout" }), state: "expired" })
    assert.deepStrictEqual(denied(), [[KEY, 5]])
  })
})

describe("a decision", () => {
  it("is sent with its action, and the item goes at once", async () => {
    await page.connect(inboxItem())
    const store = await page.inbox.load()
    const [item = inboxItem()] = page.inbox.open.get()
    assert.deepStrictEqual(await store.resolve(item, { action: "deny" }), { ok: true, value: true })
    assert.deepStrictEqual(page.decisions(), [
      { method: "POST", path: "/api/inbox/one/resolve", body: { action: "deny" } }
    ])
    assert.deepStrictEqual(page.ids(), [])
    assert.deepStrictEqual([store.ended.get()?.item.id, store.ended.get()?.isMine], ["one", true])
  })

  it("that came too late says what was decided instead", async () => {
    await page.connect(inboxItem())
    page.decide = (id) =>
      Response.json({ error: "already_resolved", item: page.ended(id, { by: "elsewhere" }) }, { status: 409 })
    const store = await page.inbox.load()
    assert.deepStrictEqual(await store.resolve(inboxItem(), { action: "allow-once" }), {
      ok: false,
      message: "Someone was faster. Denied elsewhere."
    })
    assert.deepStrictEqual(page.ids(), [])
  })

  it("that the gateway didn't take leaves the item where it is", async () => {
    await page.connect(inboxItem())
    page.decide = () => Response.json({ error: "The gateway didn't answer in time." }, { status: 502 })
    const store = await page.inbox.load()
    const done = await store.resolve(inboxItem(), { action: "deny" })
    assert.deepStrictEqual(done, { ok: false, message: "The gateway didn't answer in time." })
    await page.settle()
    assert.deepStrictEqual(page.ids(), ["one"])
  })

  it("that can be undone hides its items until it is final", async () => {
    await page.connect(inboxItem({ id: "a", kind: "proposal" }), inboxItem({ id: "b", kind: "proposal" }))
    const store = await page.inbox.load()
    const taken = store.defer(page.inbox.open.get(), { action: "approve" })
    assert.deepStrictEqual([page.ids(), page.decisions()], [[], []])
    taken.undo()
    assert.deepStrictEqual(page.ids(), ["a", "b"])
    assert.deepStrictEqual(await taken.commit(), [], "nothing is decided any more")
    const [first = inboxItem()] = page.inbox.open.get()
    const final = store.defer([first], { action: "reject" })
    assert.deepStrictEqual(await final.commit(), [])
    assert.deepStrictEqual([page.ids(), page.decisions().length], [["b"], 1])
  })
})

describe("an answer", () => {
  const size = questionPart({ id: "size", header: "Size", text: "How large?", freeText: false })

  it("is what was chosen and written, for all parts at once", async () => {
    const item = questionItem(questionPart(), size)
    await page.connect(item)
    const store = await page.inbox.load()
    store.setDraft("q", "colour", { chosen: [], words: " pink " })
    store.setDraft("q", "size", { chosen: ["2"], words: "" })
    assert.deepStrictEqual(await store.answer(item), { ok: true, value: true })
    assert.deepStrictEqual(page.decisions()[0]?.body, {
      action: "answer",
      answers: { colour: { text: "pink" }, size: { options: ["2"] } }
    })
    assert.deepStrictEqual([page.ids(), page.notes(), page.inbox.drafts.get()], [[], [], {}])
  })

  it("carries a secret, of which nothing stays behind", async () => {
    const item = questionItem(questionPart({ id: "key", options: [], secret: true }))
    await page.connect(item)
    const store = await page.inbox.load()
    await store.answer(item, { key: "hunter2" })
    assert.deepStrictEqual(page.decisions()[0]?.body, { action: "answer", answers: { key: { text: "hunter2" } } })
    page.changed(page.ended("q", { action: "answer", answer: "a secret" }))
    const { open, notes, drafts } = page.inbox
    assert.notInclude(JSON.stringify([open.get(), notes.get(), drafts.get(), store.ended.get()]), "hunter2")
    assert.deepStrictEqual(page.notes(), [])
  })

  it("may be a message: an option by its number, or own words, sent once no part is left", async () => {
    const item = questionItem(questionPart(), size)
    await page.connect(item)
    const store = await page.inbox.load()
    assert.deepStrictEqual(await store.say(item, "2"), { ok: true, value: true })
    assert.deepStrictEqual(page.inbox.drafts.get().q?.colour, { chosen: ["2"], words: "" })
    assert.lengthOf(page.decisions(), 0)
    assert.deepStrictEqual(await store.say(item, "medium"), {
      ok: false,
      message: "Choose one of the answers on the card."
    })
    await store.say(item, "green")
    assert.deepStrictEqual(page.decisions()[0]?.body, {
      action: "answer",
      answers: { colour: { options: ["2"] }, size: { options: ["3"] } }
    })
  })

  it("to one of several parts isn't a complete answer: the card continues, as when no part takes the words", async () => {
    const item = questionItem(size, questionPart())
    await page.connect(item)
    const store = await page.inbox.load()
    const said: Array<string | undefined> = []
    page.inbox.said.subscribe((one) => said.push(one?.id))
    assert.strictEqual(page.inbox.asked.get().get(KEY)?.id, "q")
    await store.say(item, "pink")
    assert.deepStrictEqual(page.inbox.drafts.get().q, { colour: { chosen: [], words: "pink" } })
    assert.isFalse((await store.say(item, "enormous")).ok)
    assert.deepStrictEqual([said, page.decisions()], [["q", "q"], []])
    await store.say(item, "1")
    assert.lengthOf(page.decisions(), 1)
    assert.strictEqual(page.inbox.asked.get().size, 0)
  })

  it("given elsewhere is shown, until it is closed or the next question comes", async () => {
    const item = questionItem(questionPart())
    await page.connect(item)
    const store = await page.inbox.load()
    page.changed(page.ended("q", { action: "answer", by: "elsewhere", answer: "Blue" }))
    assert.deepStrictEqual(page.notes(), [["q", "Answered elsewhere: Blue"]])
    assert.isFalse(store.ended.get()?.isMine)
    store.dismiss("q")
    assert.deepStrictEqual(page.notes(), [])
    page.changed({ ...item, id: "r" })
    page.changed({ ...page.ended("q", { action: "skip", by: "elsewhere" }), id: "r" })
    assert.deepStrictEqual(page.notes(), [["r", "Skipped elsewhere. The agent continued without an answer."]])
    page.changed({ ...item, id: "s" })
    assert.deepStrictEqual(page.notes(), [])
    page.changed({ ...page.ended("q", { action: "answer", by: "console", answer: null }), id: "s" })
    await vi.advanceTimersByTimeAsync(300_000)
    assert.deepStrictEqual(page.notes(), [])
  })

  it("is not missed where someone stopped the run that asked", async () => {
    const item = questionItem(questionPart())
    await page.connect(item)
    page.aborted()
    page.changed(page.ended("q", { action: "skip", by: "elsewhere" }))
    assert.deepStrictEqual([page.ids(), page.notes()], [[], []])
    await vi.advanceTimersByTimeAsync(10_000)
    page.changed({ ...item, id: "r" })
    page.changed({ ...page.ended("q", { action: "skip", by: "elsewhere" }), id: "r" })
    assert.lengthOf(page.notes(), 1)
    page.aborted()
    assert.deepStrictEqual(page.notes(), [])
  })
})

describe("what a person is looking at", () => {
  const told = () => page.calls.flatMap(({ path, body }) => (path === "/api/inbox/seen" ? [body] : []))

  it("is reported once in 20 seconds, what is new at once, and quietly where the server doesn't know it", async () => {
    await page.connect(inboxItem())
    const store = await page.inbox.load()
    store.seen([])
    store.seen(["one"])
    store.seen(["one"])
    await page.settle()
    assert.deepStrictEqual(told(), [{ ids: ["one"] }])
    store.seen(["one", "two"])
    await vi.advanceTimersByTimeAsync(19_000)
    store.seen(["one", "two"])
    assert.lengthOf(told(), 2)
    await vi.advanceTimersByTimeAsync(2_000)
    store.seen(["one", "two"])
    assert.lengthOf(told(), 3)
  })
})
