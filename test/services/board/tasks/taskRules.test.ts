import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { TASK_STATUSES } from "../../../../src/contract/board.ts"
import type { RunLink, TaskStatus } from "../../../../src/contract/schema/task.ts"
import { DEFAULT_BOARD_CONFIG } from "../../../../src/services/board/boardConfig.ts"
import {
  abortRun,
  approveTask,
  createTask,
  finishRun,
  patchTask,
  rejectTask,
  reorderTask,
  startRun,
  type TaskContent
} from "../../../../src/services/board/tasks/taskRules.ts"

const config = DEFAULT_BOARD_CONFIG
const RUN: RunLink = { sessionKey: "agent:main:task-1-1", runId: "r", startedAt: 50, status: "running" }

const task = (status: TaskStatus, more: Partial<TaskContent> = {}): TaskContent => ({
  ...createTask({ title: "T", status }, { id: "1", now: 100, config }),
  ...more
})

const running = task("in-progress", { run: RUN })
const others = (...allowed: ReadonlyArray<TaskStatus>) => TASK_STATUSES.filter((status) => !allowed.includes(status))
const fails = (result: Result.Result<unknown, unknown>) => assert.isTrue(Result.isFailure(result))

describe("creating", () => {
  it("takes the board's defaults and keeps what was given", () => {
    const made = createTask({ title: "T" }, { id: "x", now: 7, config })
    assert.deepStrictEqual(made, {
      title: "T",
      id: "x",
      status: "todo",
      priority: "normal",
      createdBy: "operator",
      createdAt: 7,
      updatedAt: 7,
      version: 1,
      labels: [],
      feedback: [],
      after: [],
      autoStart: false
    })
  })
})

describe("patching", () => {
  it("keeps what is absent, clears what is null, and counts even when nothing changes", () => {
    const before = task("todo", { description: "d", assignee: "operator", dueAt: 5, result: "r", resultAt: 9 })
    assert.deepStrictEqual(patchTask(before, {}, 200).task, { ...before, version: 2, updatedAt: 200 })
    const { description, assignee, dueAt, result, resultAt, ...rest } = before
    assert.deepStrictEqual(
      patchTask(before, { description: null, assignee: null, dueAt: null, result: null }, 200).task,
      { ...rest, version: 2, updatedAt: 200 }
    )
    assert.strictEqual(patchTask(before, { result: "new" }, 300).task.resultAt, 300)
  })

  it("moves to the end of another column and keeps the place in its own", () => {
    for (const from of TASK_STATUSES) {
      for (const status of TASK_STATUSES) {
        const change = patchTask(task(from), { status }, 200)
        assert.strictEqual(change.task.status, status)
        assert.strictEqual(change.place, from === status ? "keep" : "end")
      }
    }
  })

  it("never lets the time run backwards", () => {
    assert.strictEqual(patchTask(task("todo"), {}, 3).task.updatedAt, 100)
  })
})

describe("leaving in-progress", () => {
  it.each(others("in-progress"))("for %s aborts the active run", (status) => {
    for (const change of [patchTask(running, { status }, 200), reorderTask(running, status, 0, 200)]) {
      assert.deepStrictEqual(change.task.run, { ...RUN, status: "aborted", endedAt: 200 })
      assert.deepStrictEqual(change.ended, { run: { ...RUN, status: "aborted", endedAt: 200 }, stop: true })
    }
  })

  it("does not happen by a move within the column", () => {
    assert.deepStrictEqual(reorderTask(running, "in-progress", 3, 200).task.run, RUN)
  })
})

describe("executing", () => {
  it.each(["todo", "backlog"] as const)("starts from %s", (status) => {
    const change = Result.getOrThrow(startRun(task(status), { sessionKey: "k", runId: "r", now: 200 }))
    assert.strictEqual(change?.task.status, "in-progress")
    assert.deepStrictEqual(change?.task.run, { sessionKey: "k", runId: "r", startedAt: 200, status: "running" })
  })

  it("is idempotent while a run is active", () => {
    assert.isUndefined(Result.getOrThrow(startRun(running, { sessionKey: "k", runId: "r", now: 200 })))
  })

  it.each(others("todo", "backlog"))("is refused from %s without an active run", (status) => {
    const result = startRun(task(status, { run: { ...RUN, status: "done" } }), { sessionKey: "k", runId: "r", now: 1 })
    const failure = Result.isFailure(result) ? result.failure : undefined
    assert.deepStrictEqual([failure?.from, failure?.to], [status, "in-progress"])
  })
})

describe("finishing a run", () => {
  const finish = (outcome: Parameters<typeof finishRun>[1], of = running, on = config) =>
    finishRun(of, outcome, on, 200)

  it("leads to review, or to done where no review is wanted", () => {
    const change = Result.getOrThrow(finish({ type: "done", text: "answer" }))
    assert.strictEqual(change.task.status, "review")
    assert.strictEqual(change.task.result, "answer")
    assert.deepStrictEqual(change.task.run, { ...RUN, status: "done", endedAt: 200 })
    const direct = finish({ type: "done", text: "answer" }, running, { ...config, reviewRequired: false })
    assert.strictEqual(Result.getOrThrow(direct).task.status, "done")
  })

  it("with an error leads back to todo", () => {
    const change = Result.getOrThrow(finish({ type: "error", error: "why", stop: true }))
    assert.strictEqual(change.task.status, "todo")
    assert.deepStrictEqual(change.task.run, { ...RUN, status: "error", endedAt: 200, error: "why" })
    assert.strictEqual(change.ended?.stop, true)
  })

  it("needs the active run it is for", () => {
    fails(finish({ type: "done", text: undefined }, task("todo")))
    fails(finish({ type: "done", text: undefined }, task("in-progress")))
    fails(finish({ type: "done", text: undefined }, task("in-progress", { run: { ...RUN, status: "error" } })))
    fails(finishRun(running, { type: "done", text: "x" }, config, 200, { sessionKey: "another", about: {} }))
  })
})

describe("aborting, approving and rejecting", () => {
  it("abort needs an active run and appends the note", () => {
    const change = Result.getOrThrow(abortRun(running, "stop it", 200))
    assert.strictEqual(change.task.status, "todo")
    assert.deepStrictEqual(change.task.feedback, [{ at: 200, by: "operator", note: "stop it" }])
    for (const status of TASK_STATUSES) fails(abortRun(task(status), undefined, 200))
  })

  it("approve and reject need review", () => {
    const reviewed = task("review", { run: { ...RUN, status: "done" }, result: "r", resultAt: 3 })
    const approved = Result.getOrThrow(approveTask(reviewed, undefined, 200)).task
    assert.strictEqual(approved.status, "done")
    assert.strictEqual(approved.result, "r")
    assert.deepStrictEqual(approved.feedback, [])
    const rejected = Result.getOrThrow(rejectTask(reviewed, "again", 200)).task
    assert.strictEqual(rejected.status, "todo")
    assert.notProperty(rejected, "run")
    assert.notProperty(rejected, "result")
    assert.notProperty(rejected, "resultAt")
    assert.deepStrictEqual(rejected.feedback, [{ at: 200, by: "operator", note: "again" }])
    for (const status of others("review")) {
      fails(approveTask(task(status), undefined, 200))
      fails(rejectTask(task(status), "n", 200))
    }
  })
})
