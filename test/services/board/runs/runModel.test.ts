import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FALLBACK_MODEL } from "../../../../src/services/board/Board.ts"
import { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import { makeBoardWorld } from "../boardWorld.ts"
import { type FakeGateway, unknownModel, unreachable } from "../fakeGateway.ts"

const labelInUse = new GatewayError({ reason: "invalid", message: "Taken.", code: "LABEL_IN_USE" })

describe("the model of a run", () => {
  it.effect("is the request's, the task's, the board's, then the fallback", () =>
    Effect.gen(function* () {
      const { board, runs, gateway, settle } = yield* makeBoardWorld()
      const models: Array<unknown> = []
      const execute = Effect.fnUntraced(function* (
        task: { readonly model?: string },
        request: { readonly model?: string }
      ) {
        const { id } = yield* board.create({ title: "T", ...task })
        yield* runs.execute(id, request)
        yield* settle
        models.push(gateway.calls.findLast((call) => call.method === "sessions.patch")?.params.model)
      })
      yield* execute({}, {})
      yield* board.updateConfig({ defaultModel: "board/model" })
      yield* execute({}, {})
      yield* execute({ model: "task/model" }, {})
      yield* execute({ model: "task/model" }, { model: "request/model" })
      assert.deepStrictEqual(models, [FALLBACK_MODEL, "board/model", "task/model", "request/model"])
    })
  )

  it.effect("is the gateway's own without a word where it does not offer the fallback", () =>
    Effect.gen(function* () {
      for (const prepare of [
        (gateway: FakeGateway) => gateway.offer(["another"]),
        (gateway: FakeGateway) => gateway.configure({ agents: { defaults: { model: "anthropic/another" } } }),
        (gateway: FakeGateway) =>
          gateway.refuseWith((call) => (call.method === "models.list" ? unreachable : undefined))
      ]) {
        const { board, runs, gateway, settle, until } = yield* makeBoardWorld()
        prepare(gateway)
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        assert.strictEqual(gateway.count("chat.send"), 1)
        assert.notProperty(gateway.calls.findLast((call) => call.method === "sessions.patch")?.params, "model")
        yield* gateway.finish("ok")
        const { run } = yield* until(id, (found) => found.status === "review")
        assert.deepInclude(run, { status: "done" })
        assert.notProperty(run, "note")
      }
    })
  )

  it.effect("is named on the card where the gateway lists the fallback and then refuses it", () =>
    Effect.gen(function* () {
      for (const [resolved, own] of [
        [{ modelProvider: "anthropic", model: "small" }, ", anthropic/small"],
        [undefined, ""]
      ] as const) {
        const { board, runs, gateway, settle, until } = yield* makeBoardWorld()
        gateway.resolveTo(resolved)
        gateway.refuseWith(({ method, params }) => {
          if (method !== "sessions.patch") return undefined
          if (params.model !== undefined) return unknownModel
          return params.label === undefined ? undefined : labelInUse
        })
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        yield* gateway.finish("ok")
        const { run } = yield* until(id, (found) => found.status === "review")
        const note = `The gateway doesn't have the model ${FALLBACK_MODEL}, so this run used its default${own}.`
        assert.deepInclude(run, { status: "done", note })
      }
    })
  )

  it.effect("that somebody chose is not replaced: the run ends with the reason", () =>
    Effect.gen(function* () {
      const { board, runs, gateway, until } = yield* makeBoardWorld()
      gateway.refuseWith((call) => (call.method === "sessions.patch" ? unknownModel : undefined))
      const { id } = yield* board.create({ title: "T", model: "nope/none" })
      yield* runs.execute(id, {})
      const task = yield* until(id, (found) => found.status === "todo")
      assert.strictEqual(task.run?.status, "error")
      assert.strictEqual(task.run?.error, unknownModel.message)
      assert.strictEqual(gateway.count("chat.send"), 0)
    })
  )

  it.effect("that somebody chose and the gateway takes without having it is noted on the card", () =>
    Effect.gen(function* () {
      for (const [model, note] of [
        [
          "anthropic/nowhere",
          "The gateway does not offer the chosen model: it goes on with its own default instead of anthropic/nowhere."
        ],
        ["anthropic/claude-sonnet-4-5", undefined]
      ] as const) {
        const { board, runs, gateway, settle, until } = yield* makeBoardWorld()
        const { id } = yield* board.create({ title: "T", model })
        yield* runs.execute(id, {})
        yield* settle
        assert.strictEqual(gateway.calls.findLast((call) => call.method === "sessions.patch")?.params.model, model)
        yield* gateway.finish("ok")
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).run?.note, note)
      }
    })
  )

  it.effect("is patched without a label that another session has", () =>
    Effect.gen(function* () {
      const { board, runs, gateway, settle } = yield* makeBoardWorld()
      gateway.refuseWith((call) =>
        call.params.label === undefined
          ? undefined
          : new GatewayError({ reason: "invalid", message: "taken", code: "LABEL_IN_USE" })
      )
      const { id } = yield* board.create({ title: "T" })
      yield* runs.execute(id, {})
      yield* settle
      assert.strictEqual(gateway.count("chat.send"), 1)
    })
  )
})
