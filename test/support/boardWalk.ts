import { assert } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { TASK_STATUSES } from "../../src/contract/board.ts"
import { Proposal } from "../../src/contract/schema/proposal.ts"
import { Task } from "../../src/contract/schema/task.ts"

/** A console to walk through, and task titles that make its agent behave as the walk needs. */
export interface BoardWalk {
  readonly url: string
  /** Answers with one task marker that creates a task. */
  readonly proposing: string
  readonly failing: string
  /** Runs until it's stopped. */
  readonly hanging: string
}

const decodePage = Schema.decodeUnknownSync(Schema.Struct({ items: Schema.Array(Task) }))
const decodeTask = Schema.decodeUnknownSync(Task)
const decodeProposal = Schema.decodeUnknownSync(Proposal)
const decodeProposals = Schema.decodeUnknownSync(Schema.Struct({ proposals: Schema.Array(Proposal) }))

/** Walks through every transition of a task, over HTTP alone. */
export const walkBoard = Effect.fnUntraced(function* ({ url, proposing, failing, hanging }: BoardWalk) {
  let calls = 0
  const call = (method: string, path: string, body?: object) => {
    calls += 1
    // A different client behind the trusted proxy each time, because the rate limit isn't what's tested here.
    const headers = { "x-forwarded-for": `10.1.${calls >> 8}.${calls & 255}` }
    return Effect.promise(async () => {
      const answer = await fetch(`${url}/api/kanban/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const json: unknown = await answer.json()
      return { status: answer.status, json }
    })
  }
  const ok = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const answer = yield* call(method, path, body)
    assert.include([200, 201], answer.status, `${method} ${path}: ${JSON.stringify(answer.json)}`)
    return answer.json
  })
  const task = (method: string, path: string, body?: object) => Effect.map(ok(method, path, body), decodeTask)
  const create = (fields: object) => task("POST", "tasks", fields)
  const refused = Effect.fnUntraced(function* (path: string, from: string, to: string, body?: object) {
    const answer = yield* call("POST", path, body)
    assert.strictEqual(answer.status, 409, path)
    assert.include(answer.json, { error: "invalid_transition", from, to })
  })
  const find = (id: string) =>
    Effect.map(ok("GET", "tasks?limit=200"), (page) => decodePage(page).items.find((item) => item.id === id))
  /** The task once its run has moved it to a column. */
  const settled = Effect.fnUntraced(function* (id: string, column: string) {
    const found = yield* find(id).pipe(
      Effect.repeat({
        schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "30 seconds" })),
        until: (item) => item?.status !== "in-progress"
      }),
      Effect.andThen(find(id))
    )
    assert.strictEqual(found?.status, column, JSON.stringify(found))
    return found ?? (yield* Effect.die("unreachable"))
  })
  const execute = (id: string) => task("POST", `tasks/${id}/execute`)
  /** Changes the current task; retries if a run that has just started adds its note meanwhile. */
  const change = (method: string, id: string, step: string, fields: object) =>
    Effect.flatMap(find(id), (found) =>
      call(method, `tasks/${id}${step}`, { version: found?.version, ...fields })
    ).pipe(
      Effect.repeat({ times: 5, until: (answer) => answer.status !== 409 }),
      Effect.map((answer) => {
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.json))
        return decodeTask(answer.json)
      })
    )

  // Creating: the status given, or the default.
  assert.strictEqual((yield* create({ title: "Default" })).status, "todo")
  for (const status of TASK_STATUSES) {
    const made = yield* create({ title: `In ${status}`, status })
    assert.strictEqual(made.status, status)
    if (status === "todo" || status === "backlog") continue
    yield* refused(`tasks/${made.id}/execute`, status, "in-progress")
    yield* refused(`tasks/${made.id}/complete`, status, "review")
    yield* refused(`tasks/${made.id}/abort`, status, "todo")
    if (status !== "review") {
      yield* refused(`tasks/${made.id}/approve`, status, "done")
      yield* refused(`tasks/${made.id}/reject`, status, "todo", { note: "no" })
    }
  }

  // Executing: a run that ends in review, its markers as proposals.
  const first = yield* create({ title: proposing, status: "backlog" })
  const running = yield* execute(first.id)
  assert.deepStrictEqual([running.status, running.run?.status], ["in-progress", "running"])
  const reviewed = yield* settled(first.id, "review")
  assert.strictEqual(reviewed.run?.status, "done", reviewed.run?.error)
  assert.isString(reviewed.result)
  assert.notInclude(reviewed.result ?? "", "[kanban:")
  const { proposals } = decodeProposals(yield* ok("GET", "proposals?status=pending"))
  const proposed = proposals.find((proposal) => proposal.sourceSessionKey === running.run?.sessionKey)
  assert.strictEqual(proposed?.type, "create")

  // Review: rejected with a note, which the next run reads; then approved.
  assert.strictEqual((yield* call("POST", `tasks/${first.id}/reject`)).status, 400)
  const rejected = yield* task("POST", `tasks/${first.id}/reject`, { note: "once more" })
  assert.strictEqual(rejected.status, "todo")
  assert.isUndefined(rejected.run)
  assert.isUndefined(rejected.result)
  assert.strictEqual(rejected.feedback[0]?.note, "once more")
  const second = yield* execute(first.id)
  assert.notStrictEqual(second.run?.sessionKey, running.run?.sessionKey)
  yield* settled(first.id, "review")
  const approved = yield* task("POST", `tasks/${first.id}/approve`, { note: "good" })
  assert.strictEqual(approved.status, "done")
  assert.lengthOf(approved.feedback, 2)

  // A run that fails.
  const unlucky = yield* create({ title: failing })
  yield* execute(unlucky.id)
  const failed = yield* settled(unlucky.id, "todo")
  assert.strictEqual(failed.run?.status, "error")
  assert.isNotEmpty(failed.run?.error ?? "")

  // A run that's requested twice, then aborted.
  const endless = yield* create({ title: hanging })
  const started = yield* execute(endless.id)
  const again = yield* execute(endless.id)
  assert.deepStrictEqual([again.run?.sessionKey, again.run?.runId], [started.run?.sessionKey, started.run?.runId])
  const aborted = yield* task("POST", `tasks/${endless.id}/abort`, { note: "enough" })
  assert.strictEqual(aborted.status, "todo")
  assert.strictEqual(aborted.run?.status, "aborted")
  assert.strictEqual(aborted.feedback[0]?.note, "enough")

  // Completed by a request, without and with an error.
  yield* execute(endless.id)
  const completed = yield* task("POST", `tasks/${endless.id}/complete`, { result: "by hand" })
  assert.deepStrictEqual([completed.status, completed.result, completed.run?.status], ["review", "by hand", "done"])
  const broken = yield* create({ title: hanging })
  yield* execute(broken.id)
  const errored = yield* task("POST", `tasks/${broken.id}/complete`, { error: "no luck" })
  assert.deepStrictEqual([errored.status, errored.run?.status, errored.run?.error], ["todo", "error", "no luck"])

  // Any status to any other, by PATCH and by reorder; leaving in-progress aborts the run.
  let moving = yield* execute(broken.id)
  for (const status of [...TASK_STATUSES, "cancelled", "todo"]) {
    moving = yield* change("PATCH", moving.id, "", { status })
    assert.strictEqual(moving.status, status)
    moving = yield* change("POST", moving.id, "/reorder", { targetStatus: "backlog", targetIndex: 0 })
    assert.deepStrictEqual([moving.status, moving.columnOrder], ["backlog", 0])
  }
  assert.strictEqual(moving.run?.status, "aborted")

  // Proposals: each decision once, and none needed under the policy auto.
  const taken = yield* ok("POST", `proposals/${proposed?.id}/approve`)
  assert.nestedPropertyVal(taken, "proposal.status", "approved")
  assert.nestedProperty(taken, "task.title")
  for (const decision of ["approve", "reject"]) {
    const late = yield* call("POST", `proposals/${proposed?.id}/${decision}`)
    assert.strictEqual(late.status, 409)
    assert.include(late.json, { error: "already_resolved" })
  }
  const unwanted = decodeProposal(
    yield* ok("POST", "proposals", { type: "update", payload: { id: moving.id, title: "x" } })
  )
  const answer = yield* ok("POST", `proposals/${unwanted.id}/reject`, { reason: "no" })
  assert.deepStrictEqual(answer, { proposal: { id: unwanted.id, status: "rejected", reason: "no" } })
  yield* ok("PUT", "config", { proposalPolicy: "auto" })
  const automatic = decodeProposal(yield* ok("POST", "proposals", { type: "create", payload: { title: "auto" } }))
  assert.strictEqual(automatic.status, "approved")
  yield* ok("PUT", "config", { proposalPolicy: "confirm" })
})
