import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import type { SessionNode, SessionRow } from "../../src/core/sessions/sessionTypes.ts"
import {
  dayOf,
  filtersWithNews,
  foundEntries,
  inPlace,
  type ListOptions,
  type SessionEntry,
  sessionEntries
} from "../../src/sessions/sessionEntries.ts"
import { sessionRow } from "../support/sessionRow.ts"

const NOW = new Date(2026, 10, 23, 12).getTime()
const HOUR = 3_600_000

const node = (
  title: string,
  depth: number,
  children: ReadonlyArray<SessionNode> = [],
  change: Partial<SessionRow> = {}
): SessionNode => ({
  row: sessionRow({ key: `agent:main:${title}`, title, model: "demo/steady", updatedAt: NOW, ...change }),
  depth,
  children
})

const tree = [
  node("Report", 0, [node("Facts", 1, [node("Deep", 2, [node("Deeper", 3, [node("Deepest", 4)])])])]),
  node("Other", 0)
]

const shown = (entry: SessionEntry): string => {
  if (entry.kind === "heading") return `# ${entry.name}`
  if (entry.kind === "rest") return `${entry.depth} +${entry.hidden}`
  return `${entry.depth} ${entry.row.title}${entry.runs === undefined ? "" : ` (${entry.runs.count})`}`
}

const entriesOf = (
  nodes: ReadonlyArray<SessionNode>,
  { opened = [], ...change }: Partial<Omit<ListOptions, "opened">> & { opened?: ReadonlyArray<string> } = {}
) =>
  sessionEntries(nodes, {
    filter: "chats",
    query: "",
    activeKey: "",
    limit: 60,
    now: NOW,
    gateways: [],
    ...change,
    opened: new Set(opened)
  })

const list = (...args: Parameters<typeof entriesOf>) => entriesOf(...args).map(shown)
const main = node("Main", 0, [], { key: "agent:main:main", kind: "main" })

describe("sessionEntries", () => {
  it("lists children under their parents and stops indenting at the third level", () => {
    assert.deepStrictEqual(list(tree), ["# Today", "0 Report", "1 Facts", "2 Deep", "3 Deeper", "3 Deepest", "0 Other"])
  })

  it("keeps sessions that have every word in title or model, of every kind and without indentation", () => {
    assert.deepStrictEqual(list(tree, { query: "  STEADY deep " }), ["0 Deep", "0 Deeper", "0 Deepest"])
    assert.lengthOf(list(tree, { query: "nothing" }), 0)
    const job = node("Deep job", 0, [], { kind: "cron" })
    assert.deepStrictEqual(list([job], { query: "deep" }), ["0 Deep job"])
  })

  it("is not found by its key, but the main conversation is by what it is", () => {
    const home = node("Home", 0, [], { key: "agent:main:main", kind: "main" })
    assert.deepStrictEqual(list([...tree, home], { query: "main" }), ["0 Home"])
    assert.lengthOf(list(tree, { query: "agent" }), 0)
  })

  it("is found by an agent that is not the main one", () => {
    const other = node("Else", 0, [], { agentId: "research" })
    assert.deepStrictEqual(list([...tree, other], { query: "research" }), ["0 Else"])
  })

  it("begins with the main conversation, which no limit leaves out", () => {
    const many = Array.from({ length: 500 }, (_, index) => node(`s${index}`, 0))
    const home = node("Main", 0, [node("Helper", 1)], { key: "agent:main:main", kind: "main" })
    const found = list([...many, home], { limit: 60 })
    assert.deepStrictEqual(found.slice(0, 4), ["0 Main", "1 Helper", "# Today", "0 s0"])
    assert.lengthOf(found, 63)
    assert.deepStrictEqual(list([...many, home], { limit: 1, query: "steady" }), ["0 Main"])
  })

  it("leaves the rest of a large family out until it is asked for, but never what wants attention", () => {
    const helpers = Array.from({ length: 6 }, (_, index) => node(`run ${index}`, 1))
    const parent = node("Talk", 0, [...helpers, node("failed", 1, [], { state: "error" }), node("open", 1)])
    const shut = ["# Today", "0 Talk", "1 run 0", "1 run 1", "1 run 2", "1 failed", "1 open", "1 +3"]
    assert.deepStrictEqual(list([parent], { activeKey: "agent:main:open" }), shut)
    assert.deepStrictEqual(list([parent], { opened: ["agent:main:Talk"] }).slice(-2), ["1 open", "1 +0"])
    assert.deepStrictEqual(list([parent], { query: "run 5" }), ["0 run 5"])
  })

  it("is under the pinned ones, a person's own groups, and the days, a family under that of its newest", () => {
    const at = (title: string, hours: number, change: Partial<SessionRow> = {}, children: Array<SessionNode> = []) =>
      node(title, 0, children, { updatedAt: NOW - hours * HOUR, ...change })
    const late = at("Long ago, with news", 90, {}, [node("Helper", 1, [], { updatedAt: NOW - 14 * HOUR })])
    const all = [
      at("Now", 0),
      at("Invoice", 1, { group: "Work" }),
      at("Morning", 11.9),
      late,
      at("Old favourite", 60, { pinned: true, group: "Work" }),
      at("Garden", 60, { group: "Home" }),
      at("Long ago", 60),
      main
    ]
    assert.deepStrictEqual(list(all), [
      "0 Main",
      "# Pinned",
      "0 Old favourite",
      "# Home",
      "0 Garden",
      "# Work",
      "0 Invoice",
      "# Today",
      "0 Now",
      "0 Morning",
      "# Yesterday",
      "0 Long ago, with news",
      "1 Helper",
      "# Older",
      "0 Long ago"
    ])
    assert.deepStrictEqual(
      list(all, { limit: 1 }).slice(0, 9),
      list(all).slice(0, 9),
      "no limit hides what was put there"
    )
    assert.lengthOf(list(all, { limit: 1 }), 9)
  })

  it("is under its gateway instead of a day where there are several", () => {
    const there = { key: "@nas:agent:main:main", kind: "main" } as const
    const all = [node("Now", 0), node("There", 0, [], there), main, node("Favourite", 0, [], { pinned: true })]
    const gateways = [
      { id: "primary", name: "Desk" },
      { id: "nas", name: "Nas" }
    ]
    assert.deepStrictEqual(list(all, { gateways }), [
      "# Pinned",
      "0 Favourite",
      "# Desk",
      "0 Main",
      "0 Now",
      "# Nas",
      "0 There"
    ])
  })

  it("draws no more families than the limit", () => {
    const many = Array.from({ length: 500 }, (_, index) => node(`s${index}`, 0))
    assert.lengthOf(list(many, { limit: 60 }), 61)
    assert.lengthOf(list(many, { limit: 60, query: "s" }), 60)
  })
})

describe("the jobs and the board", () => {
  const run = (title: string, job: string, hours: number, change: Partial<SessionRow> = {}) =>
    node(title, 0, [], {
      key: `agent:main:cron:${job}:run:${title}`,
      parentKey: `agent:main:cron:${job}`,
      kind: "cron",
      updatedAt: NOW - hours * HOUR,
      ...change
    })
  const JOB = "agent:main:cron:report"
  const runs = [
    run("Cron: Report", "report", 30),
    run("Newest", "report", 1),
    run("Broken", "report", 2, { state: "error" }),
    run("Cron: Backup", "backup", 3)
  ]

  it("are apart from the conversations", () => {
    const card = node("Paint the shed", 0, [], { kind: "task" })
    assert.deepStrictEqual(list([...tree, ...runs, card], { filter: "board" }), ["# Today", "0 Paint the shed"])
    assert.deepStrictEqual(list([main, ...runs, card], { filter: "chats" }), ["0 Main"])
  })

  it("fold the runs under their job, which leads to the newest and shows what went wrong", () => {
    assert.deepStrictEqual(list(runs, { filter: "jobs" }), ["# Today", "0 Newest (3)", "0 Backup"])
    const [, entry] = entriesOf(runs, { filter: "jobs" })
    assert.deepInclude(entry?.kind === "session" ? entry.row : {}, { key: `${JOB}:run:Newest`, state: "error" })
    assert.deepStrictEqual(list(runs, { filter: "jobs", opened: [JOB] }), [
      "# Today",
      "0 Newest (3)",
      "1 Newest",
      "1 Broken",
      "1 Cron: Report",
      "0 Backup"
    ])
  })

  it("have the name of a job that has a session of its own", () => {
    const job = node("Cron: Morning report", 0, runs.slice(0, 3), {
      key: JOB,
      kind: "cron",
      updatedAt: NOW - 40 * HOUR
    })
    assert.deepStrictEqual(list([job], { filter: "jobs" }), ["# Today", "0 Morning report (3)"])
    assert.deepStrictEqual(list([job], { filter: "jobs", opened: [JOB] }).slice(2), [
      "1 Newest",
      "1 Broken",
      "1 Cron: Report"
    ])
  })

  it("say on their filter that something is new there, also in a helper", () => {
    const news = (nodes: ReadonlyArray<SessionNode>) => [...filtersWithNews(nodes)]
    assert.deepStrictEqual(news(runs), ["jobs"])
    assert.deepStrictEqual(news([node("Busy", 0, [], { state: "working" })]), [])
    assert.deepStrictEqual(news([node("Talk", 0, [node("Helper", 1, [], { state: "waiting" })])]), ["chats"])
  })
})

describe("the day of a session", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it("changes at midnight", () => {
    const midnight = new Date(2026, 10, 23).getTime()
    assert.strictEqual(dayOf(midnight, midnight), "today")
    assert.strictEqual(dayOf(midnight - 1, midnight), "yesterday")
    assert.strictEqual(dayOf(midnight - 1, midnight - 1), "today")
    assert.strictEqual(dayOf(new Date(2026, 10, 22).getTime(), midnight), "yesterday")
    assert.strictEqual(dayOf(new Date(2026, 10, 22).getTime() - 1, midnight), "older")
    assert.strictEqual(dayOf(midnight + HOUR, midnight), "today", "a clock that is ahead")
  })

  it("is the local one where a day has 23 or 25 hours", () => {
    vi.stubEnv("TZ", "Europe/Berlin")
    for (const [month, day] of [
      [2, 29],
      [9, 25]
    ] as const) {
      const short = new Date(2026, month, day, 12).getTime()
      assert.strictEqual(dayOf(new Date(2026, month, day, 0, 0).getTime(), short), "today")
      assert.strictEqual(dayOf(new Date(2026, month, day - 1, 23, 59).getTime(), short), "yesterday")
      assert.strictEqual(dayOf(new Date(2026, month, day - 1, 0, 0).getTime(), short), "yesterday")
      assert.strictEqual(dayOf(new Date(2026, month, day - 2, 23, 59).getTime(), short), "older")
      const next = new Date(2026, month, day + 1, 0, 30).getTime()
      assert.strictEqual(dayOf(new Date(2026, month, day, 0, 0).getTime(), next), "yesterday")
      assert.strictEqual(dayOf(new Date(2026, month, day - 1, 23, 30).getTime(), next), "older")
    }
  })
})

describe("inPlace", () => {
  it("keeps the order, shows what is known now, and keeps what is gone until nobody is there", () => {
    const before = foundEntries([sessionRow({ key: "a", title: "A" }), sessionRow({ key: "b", title: "B" })], "", 9)
    const now = foundEntries([sessionRow({ key: "new" }), sessionRow({ key: "b", title: "B, renamed" })], "", 9)
    assert.deepStrictEqual(inPlace(before, now).map(shown), ["0 A", "0 B, renamed"])
  })
})
