import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { SessionsHarness } from "../support/SessionsHarness.ts"
import { assistant, said, user } from "../support/turnFrames.ts"

const KEY = "agent:main:o"
const MINUTE = 60_000
let page: SessionsHarness

const now = () => Date.now()
const running = (startedAt: number, key = KEY) => ({ key, updatedAt: startedAt, status: "running", startedAt })
const stopped = (at: number) => assistant([said("one two")], at, undefined, { stopReason: "aborted" })

beforeEach(() => {
  page = new SessionsHarness()
  page.gateway.protocol = 3
  page.gateway.answers["sessions.list"] = () => ({ ts: now(), sessions: page.gateway.sessions })
})

afterEach(() => {
  page.dispose()
  vi.useRealTimers()
})

describe("a row that is listed as running", () => {
  it("does not run when it began before the gateway did", async () => {
    page.gateway.uptimeMs = 5_000
    await page.connect(running(now() - 6_000), running(now() - 4_000, "agent:main:later"))
    assert.deepStrictEqual([page.state(KEY), page.state("agent:main:later")], ["idle", "working"])
    assert.deepStrictEqual(
      page.histories.map(({ params }) => params.sessionKey),
      ["agent:main:later"],
      "nothing has to be asked about the other one"
    )
  })

  it("is judged by the gateway's clock, however wrong this browser's is", async () => {
    const lead = 3 * 60 * MINUTE
    page.gateway.uptimeMs = 5_000
    page.gateway.answers["sessions.list"] = () => ({ ts: now() + lead, sessions: page.gateway.sessions })
    await page.connect(running(now() + lead - 6_000), running(now() + lead - 4_000, "agent:main:later"))
    assert.deepStrictEqual([page.state(KEY), page.state("agent:main:later")], ["idle", "working"])
  })

  it.each([3, -3])("was cut off when the gateway began after it, by a clock %i hours ahead", async (hours) => {
    const lead = hours * 60 * MINUTE
    page.gateway.uptimeMs = 5_000
    page.gateway.answers["sessions.list"] = () => ({ ts: now() + lead, sessions: page.gateway.sessions })
    await page.connect(running(now() + lead - 6_000), running(now() + lead - 4_000, "agent:main:later"))
    assert.deepStrictEqual([KEY, "agent:main:later"].map(page.store.wasCutOff), [true, false])
  })

  it("runs while its history goes on, and the reading of the list waits for that", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(running(now() - MINUTE))
    assert.strictEqual(page.state(KEY), "idle", "nothing is known yet")
    let isRead = false
    const reading = page.store.refresh().then(() => {
      isRead = true
    })
    await page.settle()
    assert.isFalse(isRead)
    assert.lengthOf(page.histories, 1, "one question for all")
    page.gateway.held.clear()
    for (const request of page.histories)
      page.gateway.socket.answer(request, { messages: [user("go", now() - MINUTE)] })
    await reading
    assert.deepStrictEqual([page.state(KEY), page.store.find(KEY)?.running], ["working", true])
  })

  it("holds nothing up while its history is waited for", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(running(now() - MINUTE))
    page.gateway.sessions = [{ ...running(now() - MINUTE), label: "Renamed" }]
    void page.store.refresh()
    await page.settle()
    assert.strictEqual(page.title(KEY), "Renamed")
  })

  it("does not run when it was stopped, which is looked up once in this browser", async () => {
    const began = now() - MINUTE
    page.gateway.messages = [user("go", began), stopped(began + 3)]
    await page.connect(running(began))
    assert.strictEqual(page.state(KEY), "idle")
    assert.lengthOf(page.histories, 1)
    await page.reload()
    assert.strictEqual(page.state(KEY), "idle")
    assert.lengthOf(page.histories, 0)
    page.changed({ sessionKey: KEY, phase: "start", session: running(now()) })
    assert.strictEqual(page.state(KEY), "working", "a later run is another one")
  })

  it("runs as soon as it is heard of, without a question", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(running(now() - 60 * MINUTE))
    assert.strictEqual(page.state(KEY), "idle")
    page.gateway.socket.event("agent", { sessionKey: KEY, runId: "r", stream: "assistant", data: { text: "o" } })
    assert.strictEqual(page.state(KEY), "working")
  })

  it("is stopped by another browser", async () => {
    await page.connect(running(now() - MINUTE))
    assert.strictEqual(page.state(KEY), "working")
    page.gateway.socket.event("chat", { sessionKey: KEY, runId: "r", state: "aborted" })
    page.changed({ sessionKey: KEY, phase: "message", session: running(now() - MINUTE) })
    await page.pass(1_000)
    assert.strictEqual(page.state(KEY), "idle")
    page.changed({ sessionKey: KEY, phase: "start", session: running(now()) })
    assert.strictEqual(page.state(KEY), "working", "the next run is another one")
  })

  it("is looked up when a run ended and its row does not say so", async () => {
    const began = now()
    page.gateway.messages = [user("go", began)]
    await page.connect(running(began))
    page.gateway.socket.event("chat", { sessionKey: KEY, runId: "r", state: "delta" })
    page.gateway.socket.event("chat", { sessionKey: KEY, runId: "queued", state: "final" })
    assert.strictEqual(page.state(KEY), "working")
    await page.pass(1_100)
    assert.strictEqual(page.state(KEY), "working", "another run ended, such as that of a message that waits")
    page.gateway.messages.push(assistant([said("done")], began + 9))
    page.gateway.socket.event("chat", { sessionKey: KEY, runId: "r", state: "final" })
    await page.pass(1_100)
    assert.strictEqual(page.state(KEY), "idle")
  })

  it("keeps its state over a broken link until it is known how the run went on", async () => {
    const began = now()
    await page.connect(running(began - 1, "agent:main:x"))
    page.changed({ sessionKey: KEY, phase: "start", session: running(began) })
    page.gateway.sessions = [running(began)]
    page.gateway.held.add("chat.history")
    await page.reconnect()
    assert.strictEqual(page.state(KEY), "working")
    page.gateway.messages = [user("go", began), stopped(began + 3)]
    for (const request of page.histories) page.gateway.socket.answer(request, page.gateway.payload(request))
    await page.settle()
    assert.strictEqual(page.state(KEY), "idle")
  })

  it("is over when it ended while this page was offline", async () => {
    const began = now()
    await page.connect(running(began))
    page.gateway.sessions = [{ ...running(began), status: "done", endedAt: began + 500 }]
    await page.reconnect()
    assert.strictEqual(page.state(KEY), "unread")
    assert.lengthOf(page.histories, 0)
  })

  it("is looked up again while it says nothing, and not believed in for ever", async () => {
    page.gateway.tickIntervalMs = 24 * 60 * MINUTE
    const began = now()
    page.gateway.messages = [user("go", began)]
    await page.connect(running(began))
    assert.lengthOf(page.histories, 1)
    await page.pass(MINUTE)
    assert.deepStrictEqual([page.histories.length, page.state(KEY)], [2, "working"])
    await page.pass(15 * MINUTE)
    assert.strictEqual(page.state(KEY), "idle")
    const asked = page.histories.length
    await page.pass(60 * MINUTE)
    assert.lengthOf(page.histories, asked)
    page.gateway.socket.event("chat", { sessionKey: KEY, runId: "r", state: "delta" })
    assert.strictEqual(page.state(KEY), "working", "it was only quiet")
  })

  it("is judged by its age where its history cannot be read", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(running(now() - MINUTE), running(now() - 60 * MINUTE, "agent:main:old"))
    for (const request of page.histories) page.gateway.socket.refuse(request, "UNAVAILABLE", "no")
    await page.settle()
    assert.deepStrictEqual([page.state(KEY), page.state("agent:main:old")], ["working", "idle"])
  })

  it("is one of at most four that are looked up at once, the newest first", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(...Array.from({ length: 60 }, (_, index) => running(now() - index, `agent:main:n${index}`)))
    assert.deepStrictEqual(
      page.histories.map(({ params }) => params.sessionKey),
      [0, 1, 2, 3].map((index) => `agent:main:n${index}`)
    )
    page.gateway.held.clear()
    for (const request of page.histories) page.gateway.socket.answer(request, { messages: [] })
    await page.settle()
    assert.lengthOf(page.histories, 40)
  })

  it("needs no question where the gateway says what runs", async () => {
    page.gateway.protocol = 4
    page.gateway.uptimeMs = 5_000
    await page.connect(
      { ...running(now() - 60 * MINUTE), hasActiveRun: true },
      { ...running(now(), "agent:main:over"), hasActiveRun: false }
    )
    assert.deepStrictEqual([page.state(KEY), page.state("agent:main:over")], ["working", "idle"])
    assert.lengthOf(page.histories, 0)
  })
})
