import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { knowledgeOf } from "../../../src/core/knowledge/knowledgeOf.ts"
import { paletteEntries } from "../../../src/shell/palette/paletteEntries.ts"
import { card } from "../../core/board/FakeBoard.ts"
import { FakeGateway } from "../../core/support/FakeGateway.ts"
import { type Answers, type OpenedPage, openPage, until, wordsOf } from "../support/openPage.tsx"

// Dragging and the editor need a layout, which there is none of here.
vi.mock("../../../src/board/dragCards.ts", () => ({ mouseDrag: () => () => {}, touchDrag: () => () => {} }))
vi.mock("../../../src/editor/createEditor.ts", () => ({ createEditor: () => ({ focus: () => {}, leave: () => {} }) }))

const JOB = {
  id: "weekly",
  name: "Weekly review",
  enabled: true,
  schedule: { kind: "every", everyMs: 3_600_000 },
  payload: { kind: "agentTurn", message: "Look back" }
}
const CARD = card("c1", { title: "Paint the door" })
const COLUMNS = ["todo", "done"].map((key) => ({
  key,
  title: key === "todo" ? "To do" : "Done",
  wipLimit: 0,
  visible: true
}))
const VIEWS = [{ id: "v1", name: "Mine", filter: {}, layout: "list" }]
const INBOX = [
  {
    id: "i1",
    gatewayId: "primary",
    kind: "approval",
    title: "rm -rf build",
    detail: "rm -rf build && ls",
    sessionKey: "agent:main:main",
    createdAt: 1,
    state: "open",
    actions: ["allow-once", "allow-always", "deny"].map((id) => ({ id, label: id }))
  },
  {
    id: "i2",
    gatewayId: "primary",
    kind: "failed",
    title: "Paint the door",
    taskId: "c1",
    createdAt: 2,
    state: "open",
    actions: ["retry", "dismiss"].map((id) => ({ id, label: id }))
  }
]
const ANSWERS: Answers = {
  "GET /api/crons": () => ({ ok: true, result: { jobs: [JOB] } }),
  "GET /api/kanban/tasks": () => ({ items: [CARD], total: 1, limit: 200, offset: 0, hasMore: false }),
  "GET /api/kanban/config": () => ({ columns: COLUMNS, defaults: { status: "todo", priority: "normal" }, version: 1 }),
  "GET /api/kanban/proposals": () => ({ proposals: [] }),
  "GET /api/kanban/views": () => ({ views: VIEWS }),
  "GET /api/inbox": () => ({ items: INBOX, total: 2, limit: 200, offset: 0, hasMore: false }),
  "GET /api/memories": () => [
    { type: "section", text: "Habits" },
    { type: "item", text: "Tea at four" },
    { type: "daily", date: "2026-11-26", text: "Garden" }
  ],
  "GET /api/skills": () => ({ ok: true, skills: [{ name: "weather", eligible: true }] }),
  "GET /api/files/tree": () => [],
  "GET /api/agentlog": () => [],
  "GET /api/gateways": () => ({
    gateways: [
      { id: "primary", name: "Home", url: "http://127.0.0.1:1", state: "connected", primary: true },
      { id: "shed", name: "Shed", url: "http://127.0.0.1:2", state: "connected", primary: false }
    ]
  }),
  "GET /api/push": () => ({ publicKey: "key", subscriptions: [{ id: "d1", label: "Phone", createdAt: 1 }] }),
  "GET /api/workspace": () => ({ files: [{ key: "soul", filename: "SOUL.md", exists: true }] }),
  "GET /api/workspace/soul": () => ({ content: "Be kind.", version: "v" }),
  "GET /api/files/read": ({ query }) =>
    query.get("path") === "plan.md" ? { content: "one", mtime: 1 } : new Response("{}", { status: 404 }),
  "GET /api/tokens/history": () => ({ from: "2026-11-01", to: "2026-11-27", rows: [] }),
  "GET /api/mcp/gateway": () => ({ state: "on", address: null }),
  "GET /api/mcp/tokens": () => ({ tokens: [{ id: "t1", name: "coder", rights: [], createdAt: 1 }] }),
  "GET /api/search/index": () => ({ state: "ready", bytes: 1, messages: 1, documents: 1, toolOutput: false })
}

const opened = async (address: string): Promise<OpenedPage> => {
  const gateway = new FakeGateway()
  gateway.messages = [
    { role: "user", content: "Who?", timestamp: 1 },
    { role: "assistant", content: [{ type: "text", text: "Me." }], timestamp: 2 }
  ]
  gateway.storage.setItem("agent-console:searches", JSON.stringify(["the harbour"]))
  const page = await openPage({ address, answers: ANSWERS, gateway })
  await page.find("h1")
  return page
}
/** What the screen has registered besides what every screen has. */
const registered = (page: OpenedPage): ReadonlyArray<string> =>
  page.services.commands
    .available()
    .filter(({ group, helpOnly }) => helpOnly !== true && group !== "General" && group !== "Go to")
    .map(({ label }) => label)
    .sort()

const doIt = (page: OpenedPage, label: string): unknown =>
  page.services.commands
    .available()
    .find((command) => command.label === label)
    ?.run()

const CHAT = [
  "Attach files",
  "Choose model and thinking",
  "Clear this session",
  "Copy the last code block",
  "Copy the last response",
  "Open the agent's knowledge",
  "Read the last response aloud",
  "Regenerate the last response",
  "Rename this session",
  "Save conversation as Markdown",
  "Search this conversation",
  "Show removed messages",
  "Speak a message"
]
const BOARD = [
  "New card",
  "New card in Done",
  "New card in To do",
  "Open board settings",
  "Open “Paint the door”",
  "Recurring cards and templates",
  "Refresh the board",
  "Search cards",
  "Select several cards",
  "Show proposals",
  "Show the view Mine",
  "Switch between board and list"
]
const FILES = [
  "Collapse all folders",
  "Filter files",
  "New file",
  "New folder",
  "Open trash",
  "Refresh the list of files",
  "Upload files"
]
const USAGE = [
  "Measure: Tokens",
  "Save the usage as CSV",
  "Show the usage of the last 7 days",
  "Show the usage of the last 90 days"
]

/** What each screen is to have; nothing else. */
const SCREENS: ReadonlyArray<readonly [address: string, labels: ReadonlyArray<string>]> = [
  ["/chat/agent:main:main", CHAT],
  ["/board", BOARD],
  ["/board/c1", [...BOARD, "Delete “Paint the door”", "Start the agent on “Paint the door”"]],
  ["/board?priority=high&layout=list", [...BOARD, "Clear filters", "Save what is shown as a view"]],
  [
    "/board?layout=list&view=v1",
    [
      ...BOARD.filter((label) => label !== "Show the view Mine"),
      "Delete the view Mine",
      "Rename the view Mine",
      "Show all cards"
    ]
  ],
  [
    "/inbox",
    [
      "Dismiss “Paint the door”",
      "Open “Paint the door”",
      "Open “rm -rf build”",
      "Retry “Paint the door”",
      "Show what waits for you",
      "Show what was decided"
    ]
  ],
  ["/search", ["Clear the recent searches", "Search everything", "Search for “the harbour” again"]],
  [
    "/knowledge/memory",
    [
      "Add a memory",
      "Add a memory to Habits",
      "Delete the section Habits",
      "Delete “Garden” of 2026-11-26",
      "Delete: Tea at four",
      "Edit Habits as text",
      "Edit “Garden” of 2026-11-26",
      "Edit: Tea at four",
      "Search memory"
    ]
  ],
  ["/knowledge/documents/soul", ["Edit SOUL.md"]],
  ["/knowledge/files", FILES],
  [
    "/knowledge/files/plan.md",
    [
      ...FILES,
      "Close plan.md",
      "Delete plan.md",
      "Download plan.md",
      "Move plan.md",
      "Preview plan.md",
      "Rename plan.md"
    ]
  ],
  ["/operations/log", ["Filter the agent log"]],
  [
    "/operations/crons",
    ["Delete Weekly review", "Edit Weekly review", "New scheduled job", "Pause Weekly review", "Run Weekly review now"]
  ],
  ["/operations/skills", ["Refresh the skills", "Search skills"]],
  ["/operations/usage", USAGE],
  ["/operations/gateway", ["Change the gateway's address", "Check the gateway now", "Copy the gateway's address"]],
  [
    "/settings/gateways",
    ["Add gateway", "Change Shed", "Remove Shed", "View the status of Home", "View the status of Shed"]
  ],
  ["/settings/notifications", ["Remove Phone", "Send a test notification to Phone"]],
  ["/settings/agents", ["Remove the board from the gateway", "Revoke the token of coder"]],
  ["/settings/search", ["Build the search index again", "Delete the search index"]],
  ["/settings/checks", ["Run all checks again"]]
]

describe("what a screen can do", () => {
  it.each(SCREENS)("is registered on %s as long as the screen is shown", async (address, labels) => {
    const page = await opened(address)
    const wanted = [...labels].sort()
    await until(() => registered(page).join() === wanted.join()).catch(() =>
      assert.deepStrictEqual(registered(page), wanted)
    )
    page.services.router.navigate("/settings/about")
    await page.find("a", "Third-party licences")
    await until(() => registered(page).length === 0).catch(() => assert.deepStrictEqual(registered(page), []))
  })

  it("is shown in the palette in the words that it was registered with, and as nothing else", async () => {
    for (const [address, labels] of SCREENS) {
      const page = await opened(address)
      await until(() => labels.every((label) => registered(page).includes(label)))
      await page.key("k", { ctrlKey: true })
      await page.find("[role=option]")
      const shown = page.all("[role=option] .palette-label").map((one) => one.textContent ?? "")
      const known = new Set(paletteEntries(page.services).map(({ label }) => label))
      for (const label of shown) assert.isTrue(known.has(label), `${address}: ${label}`)
      for (const label of labels) assert.isTrue(known.has(label), `${address}: ${label}`)
      for (const { label } of paletteEntries(page.services)) assert.notMatch(label, /\bqv\b|<!--|\[object/, address)
    }
  })

  it("never allows a command from the palette, which doesn't show it", async () => {
    const page = await opened("/inbox")
    await until(() => registered(page).includes("Open “rm -rf build”"))
    const entries = paletteEntries(page.services)
    for (const { id, label } of entries) assert.notMatch(`${id} ${label}`, /allow|deny/i)
    for (const { group, run } of entries) if (group === "Waiting for you") assert.isFunction(run)
    await page.key("k", { ctrlKey: true })
    await page.write("[role=combobox]", "allow")
    await until(() => page.all(".palette-note", "result").length > 0)
    assert.deepStrictEqual(
      page
        .all("[role=option]")
        .map(wordsOf)
        .filter((words) => /^(Always )?[Aa]llow|Deny/.test(words)),
      []
    )
  })

  it("shows what hides in a name", async () => {
    const page = await opened("/operations/crons")
    page.answers["GET /api/crons"] = () => ({ ok: true, result: { jobs: [{ ...JOB, name: "a\u202egnp.b" }] } })
    page.tell("cron.changed", {})
    page.services.router.navigate("/inbox")
    await page.find("h1", "Inbox")
    page.services.router.navigate("/operations/crons")
    await until(() => registered(page).some((label) => label.startsWith("Delete a")))
    const labels = paletteEntries(page.services).map(({ label }) => label)
    assert.isTrue(
      labels.some((label) => label.startsWith("Delete a") && label.includes("202E")),
      labels.join("\n")
    )
    assert.isFalse(labels.some((label) => label.includes("\u202e")))
  })

  it("has what to do with messages that wait or failed, by their words", async () => {
    const page = await opened("/inbox")
    const message = { gatewayId: "primary", sessionKey: "agent:main:main", mode: "next", createdAt: 3 }
    page.answers["GET /api/outbox"] = () => ({
      items: [
        { ...message, id: "m1", runId: "m1", text: "Look at\nthis", state: "waiting", position: 1, notBefore: 4e12 },
        { ...message, id: "m2", runId: "m2", text: "And that", state: "failed", error: "No.", position: 2 }
      ]
    })
    page.tell("outbox.changed", { id: "m1", gatewayId: "primary", sessionKey: "agent:main:main", state: "waiting" })
    page.services.router.navigate("/chat/agent:main:main")
    const wanted = ["Edit “Look at this”", "Send “And that” again", "Take “And that” back", "Take “Look at this” back"]
    await until(() => wanted.every((label) => registered(page).includes(label))).catch(() =>
      assert.includeMembers([...registered(page)], wanted)
    )
  })

  it("has what is there for unsaved changes only while there are some", async () => {
    const files = await opened("/knowledge/files/plan.md")
    const [save, discard, compare] = [
      "Save plan.md",
      "Discard the changes to plan.md",
      "Compare plan.md with what someone else saved"
    ]
    const document = await until(() => knowledgeOf(files.services.client).of(null).files.find("plan.md")?.document)
    await until(() => document.state.get().status === "ready")
    assert.notInclude(registered(files), save)
    document.edit(() => "two")
    await until(() => registered(files).includes(save) && registered(files).includes(discard))
    assert.notInclude(registered(files), compare)
    files.answers["GET /api/files/read"] = () => ({ content: "three", mtime: 2 })
    await document.load()
    await until(() => registered(files).includes(compare))
    doIt(files, compare)
    await files.find("dialog", "Someone else changed plan.md")
    doIt(files, discard)
    await until(() => [save, discard, compare].every((label) => !registered(files).includes(label)))
    const board = await opened("/board/c1")
    board.services.router.navigate("/board")
    await board.gone("#task-title")
    board.services.client.drafts.set(
      "board:c1",
      JSON.stringify({ base: CARD, changes: { title: "Oil it" }, theirs: {} })
    )
    board.services.router.navigate("/board/c1")
    await until(() => registered(board).includes("Save “Paint the door”"))
    assert.notInclude(registered(board), "Start the agent on “Paint the door”")
    doIt(board, "Discard the changes to “Paint the door”")
    await until(() => registered(board).includes("Start the agent on “Paint the door”"))
  })

  it("does it", async () => {
    const page = await opened("/inbox")
    await until(() => registered(page).includes("Open “rm -rf build”"))
    const run = (label: string) => doIt(page, label)
    run("Open “rm -rf build”")
    await until(() => location.pathname === "/inbox/i1")
    page.services.router.navigate("/operations/crons")
    await until(() => registered(page).includes("Pause Weekly review"))
    page.answers["POST /api/crons/weekly/toggle"] = () => ({ ok: true })
    run("Pause Weekly review")
    await until(() => page.asked.some(({ request }) => request.includes("/api/crons/weekly")))
    run("Edit Weekly review")
    await page.find("dialog input")
  })
})
