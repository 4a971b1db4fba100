import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect, PubSub, Result } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { MAX_TREE_NODES } from "../../../src/contract/answers/KnowledgeAnswers.ts"
import type { PublishedEvent } from "../../../src/contract/ConsoleEvent.ts"
import { eventMessage } from "../../../src/http/platform/events/eventMessage.ts"
import { createBoardStore } from "../../src/core/board/BoardStore.ts"
import { createBoardViews } from "../../src/core/board/BoardViews.ts"
import { latestOf } from "../../src/core/board/boardApi.ts"
import { readDoctor } from "../../src/core/checks/readDoctor.ts"
import { createClient } from "../../src/core/client/createClient.ts"
import { memoryStorage } from "../../src/core/common/memoryStorage.ts"
import { createFileLookup } from "../../src/core/composer/FileLookup.ts"
import { documentSource, memorySource } from "../../src/core/knowledge/documentSource.ts"
import { fileSource } from "../../src/core/knowledge/fileSource.ts"
import { createAllKnowledge } from "../../src/core/knowledge/knowledgeOf.ts"
import type { EventSourceHandlers } from "../../src/core/link/Environment.ts"
import { createCronsStore } from "../../src/core/operations/CronsStore.ts"
import { createGatewayStore } from "../../src/core/operations/GatewayStore.ts"
import { readLimits } from "../../src/core/operations/limits.ts"
import { skillsStore } from "../../src/core/operations/SkillsStore.ts"
import { createUsageStore } from "../../src/core/operations/UsageStore.ts"
import { createVoiceApi } from "../../src/core/voice/VoiceApi.ts"
import { createVoiceSetup } from "../../src/core/voice/VoiceSetup.ts"
import { decodePhrases } from "../../src/core/voice/voiceSetupTypes.ts"
import { uploadFile } from "../../src/knowledge/uploadFile.ts"
import { FakeGateway } from "../core/support/FakeGateway.ts"
import { approval, makeFilledApp, question, RUN } from "./filledApp.ts"
import { ReadFields, requestName } from "./ReadFields.ts"
import { walkAgents } from "./walkAgents.ts"
import { walkDrafts } from "./walkDrafts.ts"
import { walkGateways } from "./walkGateways.ts"
import { walkOutbox } from "./walkOutbox.ts"
import { walkPush } from "./walkPush.ts"
import { walkSearch } from "./walkSearch.ts"
import { whileTimePasses } from "./whileTimePasses.ts"

/** What this console never says: it's no demo, and its disk isn't full. Tests of those two look for it. */
const ELSEWHERE = ["GET /api/push.off", "POST /api/auth/logout.details"]

const fields = new ReadFields()

vi.mock(import("../../src/core/common/decode.ts"), async (original) => {
  const all = await original()
  return { ...all, parseJson: (text) => fields.parsed(text, all.parseJson(text)) }
})

/** The page's way to the app in memory: whatever it parses of an answer is noted. */
const openPage = Effect.gen(function* () {
  const app = yield* makeFilledApp
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const asked: Array<string> = []
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const { signal: _, ...rest } = init
    const name = requestName(init.method ?? "GET", url)
    asked.push(`${pathname}${search}`)
    // Each request a moment later, so that none meets a limit on how often it may be asked.
    const response = await run(Effect.andThen(TestClock.adjust("2 seconds"), app.request(`${pathname}${search}`, rest)))
    const text = await response.text()
    fields.told(text, response.ok ? name : "error")
    return new Response(text, { status: response.status, headers: { "retry-after": "1" } })
  }
  const gateway = new FakeGateway()
  gateway.protocol = 3
  const streams: Array<EventSourceHandlers> = []
  const client = createClient({
    ...gateway.env,
    now: () => 0,
    origin: "http://127.0.0.1:3080",
    fetch,
    openEvents: (_, __, handlers) => {
      streams.push(handlers)
      handlers.onOpen()
      return () => {}
    }
  })
  const subscription = yield* app.events.subscribe

  /** Hands an event on as the stream writes it. */
  const deliver = Effect.fnUntraced(function* (event: PublishedEvent) {
    const message = new TextDecoder().decode(yield* eventMessage(event))
    const [, name = "", data = ""] = /^event: (.*)\ndata: (.*)\n\n$/.exec(message) ?? []
    fields.told(data, name)
    for (const { onMessage } of streams) onMessage(name, data)
  })
  /** Hands on what the app has told since the last time. */
  const deliverAll = Effect.gen(function* () {
    for (const event of yield* PubSub.takeUpTo(subscription, 1000)) yield* deliver(event)
  })
  /** Hands on what the app tells until something was told. */
  const deliverUntil = (isIt: (event: PublishedEvent) => boolean): Effect.Effect<void> =>
    Effect.flatMap(PubSub.take(subscription), (event) =>
      Effect.andThen(deliver(event), isIt(event) ? Effect.void : deliverUntil(isIt))
    )
  return { ...app, asked, fetch, client, deliver, deliverAll, deliverUntil }
})

type Page = Effect.Success<typeof openPage>

const value = <A>(result: { readonly ok: boolean; readonly value?: A }): A => {
  assert.isTrue(result.ok, JSON.stringify(result))
  if (result.value === undefined) throw new Error("there is no value")
  return result.value
}

const TASK = {
  title: "Task",
  description: "Text",
  status: "todo",
  priority: "high",
  assignee: "agent:main",
  labels: ["a"],
  model: "demo/swift",
  thinking: "low",
  dueAt: 1,
  estimateMin: 2
} as const

const walkBoard = Effect.fnUntraced(function* ({ client, sqlite, request, deliverAll, deliverUntil }: Page) {
  const board = createBoardStore(client)
  const { calls } = board
  yield* Effect.promise(() => board.refresh())
  const made = value(yield* Effect.promise(() => calls.create(TASK)))
  const checklist = [{ text: "First step" }]
  const stamped = { sourceSessionKey: "agent:main:main", gatewayId: "other", checklist, ...TASK }
  yield* request("/api/kanban/tasks", { method: "POST", body: JSON.stringify(stamped) })
  const changed = value(
    yield* Effect.promise(() => calls.patch(made.id, made.version, { status: "review", result: "R", actualMin: 3 }))
  )
  // The inbox hears of the card a moment later, and the page's part that shows it loads by itself: moved on before that,
  // the card would never have been there.
  yield* Effect.promise(() => client.inbox.load())
  yield* deliverUntil(({ event, data }) => event === "inbox.changed" && data.item.kind === "review")
  const comment = { method: "POST", body: JSON.stringify({ text: "A comment" }) }
  for (const { id } of value(yield* Effect.promise(() => calls.page(0))).items)
    if (id !== made.id) yield* request(`/api/kanban/tasks/${id}/comments`, comment)
  const late = yield* Effect.promise(() => calls.patch(made.id, made.version, { title: "Late" }))
  assert.isNotNull(late.ok ? null : latestOf(late.error))
  yield* Effect.promise(() => calls.step(made.id, "reject", { note: "Again" }))
  yield* sqlite.transaction((db) => {
    db.run("UPDATE tasks SET run = ?", JSON.stringify(RUN))
    return Result.void
  })
  const moved = value(yield* Effect.promise(() => calls.reorder(made.id, changed.version + 1, "done", 0)))
  assert.strictEqual(moved.run?.note, RUN.note)
  assert.strictEqual(moved.history?.at(-1)?.by, "Ada")
  const proposal = { type: "create", payload: { title: "P" }, sourceSessionKey: "agent:main:main", proposedBy: "agent" }
  for (let count = 0; count < 2; count++)
    yield* request("/api/kanban/proposals", { method: "POST", body: JSON.stringify(proposal) })
  const [first, second] = value(yield* Effect.promise(() => calls.proposals()))
  yield* Effect.promise(() => calls.approveProposal(first?.id ?? ""))
  yield* Effect.promise(() => calls.rejectProposal(second?.id ?? "", "No"))
  yield* Effect.promise(() => calls.saveConfig({ defaultModel: "demo/swift" }))
  yield* Effect.promise(() => calls.saveConfig({ columns: [{ key: "todo", title: "T", wipLimit: 1, visible: true }] }))
  yield* Effect.promise(() => calls.models())
  yield* Effect.promise(() => board.refresh())
  const views = createBoardViews(client)
  const filter = { q: "t", priorities: ["high"], labels: ["a"], assignee: "agent:main", overdue: true } as const
  const view = { id: "v", name: "View", layout: "list", filter, sort: { by: "due", descending: true } } as const
  value(yield* Effect.promise(() => views.save(view)))
  yield* deliverAll
  yield* Effect.promise(() => vi.waitFor(() => assert.deepStrictEqual(views.state.get(), [view])))
  const again = createBoardViews(client)
  yield* Effect.promise(() => vi.waitFor(() => assert.deepStrictEqual(again.state.get(), [view])))
  value(yield* Effect.promise(() => views.remove("v")))
  yield* Effect.promise(() => calls.remove(made.id))
  yield* deliverAll
  board.dispose()
})

const walkKnowledge = Effect.fnUntraced(function* (page: Page) {
  const { client, request, deliverAll, workspace, fetch } = page
  const all = createAllKnowledge(client, memoryStorage())
  const { memory, documents, tree, files } = all.of(null)
  const lookup = createFileLookup(client.api, "agent:main:main")
  lookup.want("")
  yield* Effect.promise(() => vi.waitFor(() => assert.isNotEmpty(lookup.of("").entries)))
  lookup.dispose()
  yield* Effect.promise(async () => {
    await all.agents.load()
    await memory.load()
    value(await memory.add({ text: "Two", section: "Facts", category: "fact", importance: 1 }))
    for (const agent of ["helper", "@other:main"])
      value(await all.of(agent).memory.add({ text: "Two", section: "Facts", category: "fact", importance: 1 }))
    assert.isFalse((await memory.add({ text: "", section: "Facts", category: "fact", importance: 1 })).ok)
    const section = memorySource(client.api, "Facts", null)
    value(await section.write("- Two\n", value(await section.read()).version))
    value(await memory.editItem("Facts", "Two", "Three"))
    value(await memory.removeSection("Facts", null))
    await documents.load()
    const soul = documentSource(client.api, "soul")
    value(await soul.write("New\n", value(await soul.read()).version))
    await tree.load()
    value(await tree.createFolder("made"))
    value(await tree.createFile("made/a.txt"))
    value(await tree.rename("made/a.txt", "b.txt"))
    value(await tree.move("made/b.txt", "made/c.txt"))
    files.show("made/c.txt")
    const file = fileSource(client.api, "made/c.txt")
    value(await file.write("Text", value(await file.read()).version))
    const { undo } = value(await tree.remove("made/c.txt"))
    value(await tree.trash())
    value(await tree.restore(undo ?? ""))
    value(await tree.toggle("notes/deep", true))
    vi.stubGlobal("XMLHttpRequest", uploadsBy(fetch))
    const upload = { agent: null, folder: "made", name: "d.txt", replace: false }
    assert.isTrue((await uploadFile(upload, new File(["x"], "d.txt"), () => {})).ok)
    mkdirSync(`${workspace}/many`)
    for (let index = 0; index <= MAX_TREE_NODES; index++) writeFileSync(`${workspace}/many/${index}`, "")
    await tree.load()
    await all.log.load()
  })
  const entry = { type: "tool", level: "info", message: "M", data: { a: 1 } }
  yield* request("/api/agentlog", { method: "POST", body: JSON.stringify(entry) })
  yield* Effect.promise(() => all.log.load())
  yield* request("/api/agentlog", { method: "POST", body: JSON.stringify(entry) })
  yield* request("/api/files/write?agent=helper", {
    method: "POST",
    body: JSON.stringify({ path: "a.txt", content: "A", mtime: 0 })
  })
  yield* deliverAll
})

/** An `XMLHttpRequest` as far as uploads need one. */
const uploadsBy = (fetch: Page["fetch"]) =>
  class {
    readonly upload = {}
    onload = () => {}
    status = 0
    responseText = ""
    private url = ""
    open(_: string, url: string): void {
      this.url = url
    }
    getResponseHeader(): null {
      return null
    }
    send(body: FormData): void {
      void fetch(`http://127.0.0.1:3080${this.url}`, { method: "POST", body }).then(async (response) => {
        this.status = response.status
        this.responseText = await response.text()
        this.onload()
      })
    }
  }

const walkOperations = Effect.fnUntraced(function* ({ client, gateway, releaseAgentB }: Page) {
  const crons = createCronsStore(client, () => 0)
  yield* Effect.promise(async () => {
    await crons.jobs.refresh()
    await crons.history("job-1").refresh()
    value(await crons.create({ schedule: "0 9 * * *", prompt: "P" }))
    value(await crons.update("job-1", { name: "N" }))
    value(await crons.setEnabled("job-1", true))
    value(await crons.remove("job-3"))
  })
  yield* gateway.emit("exec.approval.requested", approval)
  yield* whileTimePasses(() => crons.run("job-1"))
  assert.deepInclude(yield* whileTimePasses(() => crons.run("job-2")), { value: { isRunning: true } })
  const skills = skillsStore(client)
  const operations = createGatewayStore(client)
  const usage = createUsageStore(client, () => 0)
  yield* Effect.promise(() =>
    Promise.all([
      skills.refresh(),
      operations.health.refresh(),
      operations.server.refresh(),
      operations.models.refresh()
    ])
  )
  yield* Effect.promise(() => Promise.all([usage.report.refresh(), usage.totals.refresh(), usage.agentA.refresh()]))
  yield* Effect.promise(() => operations.update.refresh())
  yield* whileTimePasses(() => client.api.request("GET", "/api/agent-b-limits", readLimits))
  yield* releaseAgentB
  yield* Effect.promise(() => usage.agentB.refresh())
  yield* whileTimePasses(() => readDoctor(client.api))
})

const walkInbox = Effect.fnUntraced(function* ({ client, gateway, deliverAll, deliverUntil }: Page) {
  const { inbox } = client
  const store = yield* Effect.promise(() => inbox.load())
  yield* gateway.emit("question.requested", question)
  yield* deliverUntil(({ event, data }) => event === "inbox.changed" && data.item.kind === "question")
  yield* Effect.promise(() => store.read())
  const item = inbox.open.get().find(({ kind }) => kind === "question")
  if (item === undefined) throw new Error("the question waits")
  store.setDraft(item.id, "colour", { chosen: ["1"], words: "" })
  value(yield* Effect.promise(() => store.answer(item, { key: "hunter2" })))
  yield* deliverAll
  const again = yield* Effect.promise(() => store.resolve(item, { action: "skip" }))
  assert.deepInclude(again, {
    ok: false,
    message: "Someone was faster. Answered elsewhere: Colour: Red · The key?: a secret"
  })
  value(yield* Effect.promise(() => store.find(item.id)))
  value(yield* Effect.promise(() => store.readDecided("question", 0)))
  store.seen([item.id])
})

const walkVoice = Effect.fnUntraced(function* ({ client, fetch, deliverUntil }: Page) {
  const setup = createVoiceSetup(client.api, client.events)
  const voice = createVoiceApi(
    (url, init) => fetch(String(url), init),
    "http://127.0.0.1:3080",
    (recording) => Promise.resolve(recording)
  )
  yield* Effect.promise(async () => {
    value(await voice.transcribe(new Blob(["OggS"], { type: "audio/ogg" }), new AbortController().signal))
    await setup.load()
    const stop = setup.open()
    value(await setup.setLanguage({ language: "de" }))
    value(await setup.setTts({ vendor_a: { voice: "alloy" }, free: { voice: "x" }, alias: { speaker: "y" } }))
    value(await setup.setPhrases({ wakePhrases: ["hey"], stopPhrases: ["stop"], cancelPhrases: ["no"] }))
    value(await client.api.request("GET", "/api/voice-phrases", decodePhrases))
    value(await setup.setStt({ provider: "local", model: "tiny" }))
    return stop
  })
  yield* deliverUntil(({ event, data }) => event === "stt.download" && data.status === "failed")
  yield* Effect.promise(() => setup.load())
})

/**
 * Addresses behind which there are bytes, and none that a decoder reads. Uploads go by XMLHttpRequest, which only a browser
 * has; `attachments.e2e.ts` sends them.
 */
const BYTES = /^\/api\/(tts|files|files\/download|uploads|preview|gateway\/media\/.*|events)$/

it.effect(
  "the page reads nothing in the server's answers and events that is never there",
  () =>
    Effect.gen(function* () {
      const page = yield* openPage
      const { client, deliver, asked } = page
      yield* walkOperations(page)
      yield* Effect.promise(async () => {
        await client.start()
        value(await client.api.login("x"))
        value(await client.api.logout())
        value(await client.api.version())
        value(await client.api.serverInfo())
      })
      const gateways = yield* walkGateways(client)
      yield* walkBoard(page)
      yield* walkInbox(page)
      yield* walkKnowledge(page)
      yield* walkVoice(page)
      yield* walkPush(page)
      yield* walkDrafts(page)
      yield* walkOutbox(page)
      yield* walkAgents(page)
      yield* walkSearch(page)
      yield* Effect.promise(() => gateways.remove("other"))
      const status = { gateway: "ok", since: 1, reason: "R", approval: { requestId: "r" } } as const
      yield* deliver({ event: "status.changed", data: status, ts: 1 })
      client.dispose()

      assert.deepStrictEqual(fields.absent, ELSEWHERE)
      assert.isAbove(fields.count, 200)
      for (const name of [
        "GET /api/inbox",
        "inbox.changed",
        "kanban.changed",
        "file.changed",
        "memory.changed",
        "draft.changed",
        "outbox.changed"
      ])
        assert.isTrue(fields.decoded.has(name), name)
      const named = globSync("web/src/**/*.{ts,tsx}").flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(/["'`](\/api\/[a-z-/]+|\/health)/g)].map(([, path = ""]) => path)
      )
      const forgotten = [...new Set(named)].filter(
        (path) => !BYTES.test(path.replace(/\/$/, "")) && !asked.some((done) => done.startsWith(path))
      )
      assert.deepStrictEqual(forgotten, [])
    }),
  60_000
)
