import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Schedule } from "effect"
import type { DemoStep } from "../../../practice-gateway/src/demo/steps.ts"
import { agentOf } from "../../support/agentInMemory.ts"
import { makeGatewayApp } from "../../support/gatewayApp.ts"
import { passTime } from "../../support/passTime.ts"

it.effect("an agent that works on a card asks a person about it over /mcp, and goes on with the answer", () =>
  Effect.gen(function* () {
    const agent = yield* Deferred.make<Effect.Success<ReturnType<typeof agentOf>>>()
    const asked = yield* Deferred.make<string>()
    const answered = yield* Deferred.make<unknown>()
    const call = (name: string, args: object) =>
      Effect.flatMap(Deferred.await(agent), ({ result }) =>
        Effect.map(result(name, args), ({ structuredContent }) => structuredContent)
      )
    const tool = (name: string, work: Effect.Effect<unknown>): DemoStep => ({
      type: "tool",
      name: `agent-console__${name}`,
      args: {},
      meta: name,
      result: "",
      runMs: 0,
      work: Effect.map(work, (value) => JSON.stringify(value))
    })
    const askAboutOwnTask = Effect.gen(function* () {
      const { tasks } = yield* call("list_tasks", { status: ["in-progress"] })
      const question = yield* call("ask_person", { question: "Which colour?", taskId: tasks[0].id })
      yield* Deferred.succeed(asked, question.id)
      return question
    })
    const fetchAnswer = Effect.gen(function* () {
      const outcome = yield* call("get_answer", { id: yield* Deferred.await(asked), waitSeconds: 50 })
      yield* Deferred.succeed(answered, outcome)
      return outcome
    })
    const app = yield* makeGatewayApp({
      generation: "new",
      tokenMs: 0,
      agent: () => [
        tool("ask_person", askAboutOwnTask),
        tool("get_answer", fetchAnswer),
        { type: "text", text: "Painted as you said." }
      ]
    })
    yield* Deferred.succeed(agent, yield* agentOf(app, ["read", "ask"]))
    const { id: taskId } = (yield* app.send("POST", "/api/kanban/tasks", { title: "Paint the door" })).body
    yield* app.send("POST", `/api/kanban/tasks/${taskId}/execute`)

    const questionId = yield* Deferred.await(asked)
    const { items } = (yield* app.send("GET", "/api/inbox?kind=question")).body
    assert.strictEqual(items.length, 1)
    assert.deepInclude(items[0], { id: questionId, title: "Which colour?", detail: "Asked by coder", taskId })
    yield* app.send("POST", `/api/inbox/${questionId}/resolve`, {
      action: "answer",
      answers: { "1": { text: "Violet" } }
    })
    assert.deepStrictEqual(yield* Deferred.await(answered), {
      state: "answered",
      answers: [{ question: "Which colour?", answer: ["Violet"] }]
    })
    const reviewed = call("get_task", { id: taskId }).pipe(
      Effect.repeat({ schedule: Schedule.spaced("1 second"), until: ({ task }) => task.status === "review" })
    )
    const { task } = yield* Effect.flatMap(Effect.forkChild(reviewed), passTime)
    assert.strictEqual(task.result, "Painted as you said.")
  })
)
