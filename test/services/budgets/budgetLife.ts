import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { GenerationName } from "../../../practice-gateway/older/practiceGateway.ts"
import type { DemoAgent, DemoStep } from "../../../practice-gateway/src/demo/steps.ts"
import { Budget, BudgetList } from "../../../src/contract/schema/budget.ts"
import { InboxPage } from "../../../src/contract/schema/inbox.ts"
import { OutboxList } from "../../../src/contract/schema/outbox.ts"
import { Task } from "../../../src/contract/schema/task.ts"
import { eventually, makeConsoleLife } from "../../support/consoleLife.ts"

const tool: DemoStep = {
  type: "tool",
  name: "exec",
  args: { command: "true" },
  meta: "work",
  result: "done",
  runMs: 0,
  work: Effect.as(Effect.sleep("400 millis"), "done")
}

/** Works through many tool calls, each a response, unless it's asked to go on or to sum up. */
const agent: DemoAgent = ({ source, text }) => {
  if (text.includes("continue from where you stopped")) return [{ type: "text", text: "Went on to the end." }]
  if (text.includes("Sum up")) return [{ type: "text", text: "In sum: half of it is done." }]
  if (text.includes("spawn")) return [{ type: "spawn", task: "long work", label: "Helper" }, ...Array(30).fill(tool)]
  if (text.includes("hang")) return [{ type: "hang" }]
  if (text.includes("endless work")) return Array(900).fill(tool)
  if (source === "subagent" || text.includes("long work"))
    return [...Array(30).fill(tool), { type: "text", text: "Done." }]
  return [{ type: "text", text: "Hello." }]
}

const Row = Schema.Struct({
  key: Schema.String,
  spawnedBy: Schema.optionalKey(Schema.NullOr(Schema.String)),
  hasActiveRun: Schema.optionalKey(Schema.Boolean),
  status: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const Rows = Schema.Struct({ sessions: Schema.Array(Row) })
const Message = Schema.Struct({
  role: Schema.String,
  content: Schema.optionalKey(Schema.Unknown),
  provider: Schema.optionalKey(Schema.String),
  stopReason: Schema.optionalKey(Schema.String),
  openclawAbort: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Struct({ cost: Schema.Struct({ total: Schema.Finite }) }))
})
const History = Schema.Struct({ messages: Schema.Array(Message) })

const decode = {
  budget: Schema.decodeUnknownSync(Budget),
  list: Schema.decodeUnknownSync(BudgetList),
  inbox: Schema.decodeUnknownSync(InboxPage),
  outbox: Schema.decodeUnknownSync(OutboxList),
  task: Schema.decodeUnknownSync(Task)
}

/** A console that counts, with a practice gateway whose agent works for a while. */
export const makeBudgetLife = Effect.fnUntraced(function* (generation: GenerationName) {
  const life = yield* makeConsoleLife({ generation, agent, seed: false })
  const { client } = life

  const rows = Effect.map(client.request("sessions.list", {}, Rows), ({ sessions }) => sessions)
  const history = (sessionKey: string) =>
    Effect.map(client.request("chat.history", { sessionKey, limit: 1000 }, History), ({ messages }) => messages)
  /** What the gateway's own figures say that a session's responses cost, and how many there are. */
  const figures = (sessionKey: string) =>
    Effect.map(history(sessionKey), (messages) => {
      const responses = messages.filter(
        ({ openclawAbort, provider, role, stopReason }) =>
          role === "assistant" && provider !== "openclaw" && openclawAbort === undefined && stopReason !== "aborted"
      )
      return {
        nano: responses.reduce((sum, { usage }) => sum + Math.round((usage?.cost.total ?? 0) * 1e9), 0),
        turns: responses.length
      }
    })
  const asked = (sessionKey: string) =>
    Effect.map(history(sessionKey), (messages) =>
      messages.flatMap(({ content, role }) => (role === "user" ? [JSON.stringify(content)] : []))
    )

  /** One start of the console. */
  const start = Effect.gen(function* () {
    const app = yield* life.start
    let calls = 0
    const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
      calls += 1
      // Each client may send 60 requests a minute.
      const peer = `127.0.${(calls >> 8) & 255}.${calls & 255}`
      const answer = yield* app.request(path, {
        method,
        peer,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: answer.status, body: JSON.parse(yield* Effect.promise(() => answer.text())) }
    })
    const create = (body: object) =>
      Effect.map(call("POST", "/api/budgets", body), (answer) => {
        assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
        return decode.budget(answer.body)
      })
    const list = Effect.map(call("GET", "/api/budgets"), ({ body }) => decode.list(body))
    const budget = (id: string) =>
      Effect.map(list, ({ budgets }) => budgets.find((one) => one.id === id) ?? assert.fail("no such budget"))
    const until = (id: string, state: Budget["state"]) => eventually(budget(id), (one) => one.state === state)
    const items = (query = "?state=open") =>
      Effect.map(call("GET", `/api/inbox${query}`), ({ body }) => decode.inbox(body).items)
    const outbox = Effect.map(call("GET", "/api/outbox"), ({ body }) => decode.outbox(body).items)
    const send = (sessionKey: string, text: string) =>
      Effect.map(call("POST", "/api/outbox", { id: randomUUID(), sessionKey, text, mode: "next" }), ({ body }) => body)
    const task = (id: string) =>
      Effect.map(call("GET", `/api/kanban/tasks?limit=200`), ({ body }) => {
        const found = body.items.find((one: { readonly id: string }) => one.id === id)
        return decode.task(found)
      })
    const makeCard = (title: string) =>
      Effect.map(call("POST", "/api/kanban/tasks", { title, status: "todo" }), ({ body }) => decode.task(body))
    const execute = (id: string) => call("POST", `/api/kanban/tasks/${id}/execute`, {})
    return { ...app, call, create, list, budget, until, items, outbox, send, task, makeCard, execute }
  })

  /** Waits until no session runs for some time. */
  const quiet = Effect.gen(function* () {
    let before = ""
    yield* eventually(
      Effect.gen(function* () {
        const all = yield* rows
        const counts = yield* Effect.forEach(all, ({ key }) => history(key))
        const now = JSON.stringify([all.map(({ hasActiveRun }) => hasActiveRun), counts.map(({ length }) => length)])
        yield* Effect.sleep("150 millis")
        const isSame = now === before && !all.some(({ hasActiveRun }) => hasActiveRun === true)
        before = now
        return isSame
      }),
      (isSame) => isSame
    )
  })

  return { ...life, start, rows, history, figures, asked, quiet }
})
