import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { SessionRow } from "../../../../src/contract/schema/sessionRow.ts"
import type { SessionNode } from "../../../src/core/sessions/sessionTypes.ts"
import { ListHarness, listed } from "../support/ListHarness.ts"

const MAIN = "agent:main:main"
const KEY = "agent:main:dashboard:old"
const main = (change: Partial<SessionRow> = {}) => listed({ kind: "main", ...change })
const other = (change: Partial<SessionRow> = {}) => listed({ key: KEY, updatedAt: 5, title: "Trip", ...change })
const outline = (nodes: ReadonlyArray<SessionNode>): unknown =>
  nodes.map(({ row, children }) => [row.key, outline(children)])

let page: ListHarness
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  page = new ListHarness()
})
afterEach(() => {
  page.dispose()
  vi.useRealTimers()
})

describe("the list", () => {
  it("shows what the console lists, the latest first, again after every connect", async () => {
    assert.strictEqual(page.view.state.get().status, "loading")
    await page.connect(main(), other())
    assert.strictEqual(page.view.state.get().status, "ready")
    assert.deepStrictEqual(
      page.view.state.get().rows.map(({ key, kind, title }) => [key, kind, title]),
      [
        [KEY, "chat", "Trip"],
        [MAIN, "main", "Main"]
      ]
    )
    const before = page.view.find(KEY)
    page.list([main({ updatedAt: 9 }), ...page.browser.live.sessions.slice(1).map(() => other())])
    assert.deepStrictEqual(page.keys(), [MAIN, KEY])
    assert.deepEqual(page.view.find(KEY), before)
    page.socket.drop()
    page.browser.live.sessions = [main()]
    assert.deepStrictEqual(page.keys(), [MAIN, KEY], "it stays while the console is away")
    await vi.advanceTimersByTimeAsync(1_001)
    assert.deepStrictEqual(page.keys(), [MAIN])
  })

  it("is a forest: newest first, sub-agents under their parents, scheduled runs under their job, cycles broken", async () => {
    const sub = (key: string, updatedAt: number, parentKey: string) =>
      listed({ key: `agent:main:subagent:${key}`, kind: "subagent", updatedAt, parentKey })
    const cron = (key: string, more: Partial<SessionRow> = {}) =>
      listed({ key: `agent:main:cron:${key}`, kind: "cron", updatedAt: 3, ...more })
    await page.connect(
      main({ updatedAt: 1 }),
      listed({ key: "agent:main:chat", updatedAt: 5 }),
      sub("a", 9, MAIN),
      sub("b", 2, "agent:main:subagent:a"),
      cron("j"),
      cron("j:run:s", { parentKey: "agent:main:cron:j" }),
      sub("x", 0, "agent:main:subagent:y"),
      sub("y", 0, "agent:main:subagent:x"),
      sub("orphan", -1, "agent:main:gone")
    )
    assert.deepStrictEqual(outline(page.view.state.get().tree), [
      [MAIN, [["agent:main:subagent:a", [["agent:main:subagent:b", []]]]]],
      ["agent:main:chat", []],
      ["agent:main:cron:j", [["agent:main:cron:j:run:s", []]]],
      ["agent:main:subagent:x", []],
      ["agent:main:subagent:y", []],
      ["agent:main:subagent:orphan", []]
    ])
  })

  it("stands as its gateways do: what one of them has is shown", async () => {
    const stand = (...states: ReadonlyArray<string>) => {
      page.list([], {
        gateways: Object.fromEntries(states.map((state, at) => [`g${at}`, { state }])),
        more: false,
        unread: 0
      })
      return page.view.state.get().status
    }
    await page.connect()
    assert.strictEqual(stand("loading"), "loading")
    assert.strictEqual(stand("failed", "loading"), "loading")
    assert.strictEqual(stand("failed", "failed"), "failed")
    assert.strictEqual(stand("failed", "ready"), "ready")
    await page.view.retry()
    assert.deepStrictEqual(
      page.asked.map(({ method, path }) => [method, path]),
      [["POST", "/api/gateways/g0/retry"]]
    )
  })

  it("has twice as many each time more are wanted, up to two thousand", async () => {
    const head = (more: boolean) => ({ gateways: { primary: { state: "ready" } }, more, unread: 3 })
    page.browser.live.head = head(true)
    await page.connect(main())
    assert.deepInclude(page.view.state.get(), { hasMore: true, unreadCount: 3 })
    const reading = page.view.readMore()
    assert.deepInclude(page.socket.last("set"), { limit: 400 })
    page.list([main(), other()])
    await reading
    const last = page.view.readMore()
    page.list([main(), other()], head(false))
    await last
    assert.isFalse(page.view.state.get().hasMore)
    page.list([main(), other()], head(true))
    for (let times = 0; times < 2; times++) {
      const none = page.view.readMore()
      // A gateway that says there are more, and gives none, isn't waited for for ever.
      await vi.advanceTimersByTimeAsync(10_000)
      await none
    }
    assert.deepInclude(page.socket.last("set"), { limit: 2_000 })
    assert.isFalse(page.view.state.get().hasMore)
  })

  it("has archived sessions once they're wanted, and while one of them is open", async () => {
    const away = listed({ key: "agent:main:away", archived: true, title: "Put away" })
    await page.connect(main(), other(), away)
    assert.deepStrictEqual([page.view.find(away.key), page.keys()], [null, [KEY, MAIN]])
    page.view.setWantsArchived(true)
    assert.deepStrictEqual(
      page.view.state.get().archived.map(({ key }) => key),
      [away.key]
    )
    page.view.setWantsArchived(false)
    assert.lengthOf(page.view.state.get().archived, 0)
    page.view.select(away.key)
    assert.deepInclude(page.view.find(away.key), { title: "Put away", archived: true })
    page.view.select(KEY)
    assert.isNull(page.view.find(away.key))
  })

  it("is read whole where all are needed, page by page, archived ones too", async () => {
    await page.connect(main())
    page.answer = ({ path }) =>
      path.includes("archived=true")
        ? { sessions: [listed({ key: "a3", archived: true })] }
        : path.includes("cursor=c1")
          ? { sessions: [listed({ key: "a2" })] }
          : { sessions: [listed({ key: "a1" })], cursor: "c1" }
    const all = await page.view.readAll()
    assert.deepStrictEqual(all.ok ? all.value.map(({ key }) => key) : [], ["a1", "a2", "a3"])
    page.answer = () => "Not now."
    assert.deepStrictEqual(await page.view.readAll(), { ok: false, message: "Not now." })
  })
})

describe("the session on screen", () => {
  const looked = () => page.socket.last("look").key

  it("is told to the console while somebody looks at it", async () => {
    await page.connect(main(), other())
    assert.strictEqual(looked(), MAIN)
    page.view.setVisible(false)
    assert.isNull(looked())
    page.view.select(KEY)
    assert.isNull(looked())
    page.view.setVisible(true)
    assert.strictEqual(looked(), KEY)
  })

  it("is remembered across reloads", async () => {
    await page.connect(main(), other())
    page.view.select(KEY)
    await page.reload()
    assert.strictEqual(page.view.activeKey.get(), KEY)
  })

  it("leaves the list at once where somebody else deletes it", async () => {
    await page.connect(main(), other())
    page.view.select(KEY)
    page.list([main()])
    assert.isNull(page.view.find(KEY))
  })
})

describe("a new session", () => {
  it("is in no list until something is written in it, and is open with what was chosen for it", async () => {
    await page.connect(main(), other())
    const key = page.view.create()
    assert.match(key, /^agent:main:dashboard:/)
    assert.strictEqual(page.view.activeKey.get(), key)
    await page.view.rename(key, "Trip")
    await page.view.setModel(key, "demo/swift")
    assert.deepInclude(page.view.find(key), { title: "Trip", model: "swift", modelProvider: "demo" })
    assert.notInclude(JSON.stringify(outline(page.view.state.get().tree)), key)
    assert.isFalse(
      page.socket.frames.some((frame) => frame.key === key),
      "nobody can look at it yet"
    )
    page.view.select(MAIN)
    assert.isNull(page.view.find(key))
    page.view.create()
    assert.strictEqual(page.view.activeKey.get(), key, "the one that was left is taken up again")
    assert.lengthOf(page.asked, 0)
    await page.view.prepare(key)
    assert.deepStrictEqual(page.asked, [
      { method: "PATCH", path: "/api/sessions", body: { sessionKey: key, label: "Trip", model: "demo/swift" } }
    ])
    assert.isNull(page.view.prepare(key))
    page.list([main(), listed({ key, updatedAt: 9, running: true, state: "working" })])
    assert.include(JSON.stringify(outline(page.view.state.get().tree)), key)
    assert.strictEqual(page.socket.last("look").key, key)
    page.view.create()
    assert.notStrictEqual(page.view.activeKey.get(), key, "that one exists now")
  })

  it("begins at the gateway and with the agent that is meant", async () => {
    await page.connect(main())
    assert.match(page.view.create({ gatewayId: "nas", agentId: "writer" }), /^@nas:agent:writer:dashboard:/)
  })
})

describe("a change", () => {
  it("of marks is shown before anybody has made it, and taken back with its reason when it's refused", async () => {
    await page.connect(main(), other())
    page.answer = () => other({ pinned: true })
    const pinning = page.view.mark(KEY, { pinned: true })
    assert.isTrue(page.view.find(KEY)?.pinned)
    assert.isTrue((await pinning).ok)
    page.list([main(), other({ pinned: true })])
    page.answer = () => "The disk is full."
    const archiving = page.view.mark(KEY, { archived: true })
    assert.deepStrictEqual([page.keys(), page.view.find(KEY)?.pinned], [[MAIN], false], "it's archived, and not pinned")
    assert.deepStrictEqual(await archiving, { ok: false, message: "The disk is full." })
    assert.deepInclude(page.view.find(KEY), { archived: false, pinned: true })
  })

  it("is shown as it was answered until the list has it, and then as the list has it", async () => {
    await page.connect(main(), other({ group: "Home" }))
    page.answer = () => other({ name: "Lisbon", model: "swift" })
    assert.isTrue((await page.view.rename(KEY, " Lisbon ")).ok)
    assert.deepStrictEqual(page.asked.at(-1)?.body, { sessionKey: KEY, label: "Lisbon" })
    assert.deepInclude(page.view.find(KEY), { title: "Lisbon", label: "Lisbon", model: "swift", group: null })
    // Somebody else names it otherwise.
    page.list([main(), other({ name: "Porto" })])
    assert.strictEqual(page.view.find(KEY)?.title, "Porto")
    await page.view.rename(KEY, "Lisbon")
    await vi.advanceTimersByTimeAsync(2_000)
    assert.strictEqual(page.view.find(KEY)?.title, "Porto", "the list had it before the answer came")
  })

  it("that follows another one is shown with it, and outlasts its answer", async () => {
    await page.connect(main(), other())
    const answers: Array<(answer: object) => void> = []
    page.answer = () => new Promise((resolve) => answers.push(resolve))
    const first = page.view.mark(KEY, { pinned: true })
    const second = page.view.mark(KEY, { group: "Work" })
    assert.deepInclude(page.view.find(KEY), { pinned: true, group: "Work" })
    answers[0]?.(other({ pinned: true }))
    await first
    assert.deepInclude(page.view.find(KEY), { pinned: true, group: "Work" })
    answers[1]?.(other({ pinned: true, group: "Work" }))
    await second
    page.list([main(), other({ pinned: true, group: "Work" })])
    await vi.advanceTimersByTimeAsync(3_000)
    page.list([main(), other({ group: "Work" })])
    assert.deepInclude(page.view.find(KEY), { pinned: false, group: "Work" }, "somebody else unpins it")
  })

  it("clears a name, a group and a model", async () => {
    await page.connect(main(), other({ group: "Home" }))
    const grouping = page.view.mark(KEY, { group: null })
    assert.isNull(page.view.find(KEY)?.group)
    await grouping
    await page.view.rename(KEY, "  ")
    await page.view.setModel(KEY, null)
    await page.view.setThinking(KEY, "low")
    assert.deepStrictEqual(
      page.asked.map(({ body }) => body),
      [{ group: null }, { label: null }, { model: null }, { thinking: "low" }].map((change) => ({
        sessionKey: KEY,
        ...change
      }))
    )
  })

  it("brings an archived session back that is pinned", async () => {
    await page.connect(main(), other({ archived: true }))
    page.view.setWantsArchived(true)
    void page.view.mark(KEY, { pinned: true })
    assert.deepInclude(page.view.find(KEY), { archived: false, pinned: true })
  })
})

describe("a session", () => {
  it("is hidden while its deletion can be undone, and deleted then", async () => {
    await page.connect(main(), other())
    page.view.select(KEY)
    page.view.setHidden(KEY, true)
    assert.deepStrictEqual([page.keys(), page.view.activeKey.get()], [[MAIN], MAIN])
    page.view.setHidden(KEY, false)
    assert.deepStrictEqual(page.keys(), [KEY, MAIN])
    page.view.setHidden(KEY, true)
    assert.isTrue((await page.view.remove(KEY)).ok)
    assert.deepInclude(page.asked.at(-1), {
      method: "DELETE",
      path: `/api/sessions?sessionKey=${encodeURIComponent(KEY)}`
    })
    assert.deepStrictEqual(page.keys(), [MAIN], "the list may still have it for a moment")
  })

  it("that can't be deleted is there again, with the reason in a sentence", async () => {
    await page.connect(main(), other())
    page.answer = () => "The main session can't be deleted. Clear it instead."
    page.view.setHidden(KEY, true)
    assert.deepStrictEqual(await page.view.remove(KEY), {
      ok: false,
      message: "The main session can't be deleted. Clear it instead."
    })
    assert.deepStrictEqual(page.keys(), [KEY, MAIN])
  })

  it("is cleared and stopped by the console", async () => {
    await page.connect(main(), other())
    page.answer = () => ({ ok: true })
    await page.view.stop(KEY)
    page.answer = ({ path }) => (path === "/api/sessions/stop" ? "Nothing runs." : listed({ key: KEY }))
    assert.deepStrictEqual(await page.view.stop(KEY), { ok: false, message: "Nothing runs." })
    assert.isTrue((await page.view.reset(KEY)).ok)
    assert.strictEqual(page.view.find(KEY)?.title, "dashboard:old")
    const { tab } = page.socket.frames[0] ?? {}
    assert.deepStrictEqual(page.asked.slice(1), [
      { method: "POST", path: "/api/sessions/stop", body: { sessionKey: KEY, tab } },
      { method: "POST", path: "/api/sessions/reset", body: { sessionKey: KEY } }
    ])
  })
})
