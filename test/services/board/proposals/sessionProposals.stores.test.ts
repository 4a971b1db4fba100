import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { boardWorldOn } from "../boardWorld.ts"
import { makeFakeGateway } from "../fakeGateway.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("markers", ({ makeBoardWorld, base: empty }) => {
  const CREATE = '[kanban:create]{"title":"Buy milk"}[/kanban:create]'
  const KEY = "agent:writer:main"

  let count = 0

  /** A response as the gateway sends it, with a new id unless the test names one. */
  const response = (
    text: string,
    more: { readonly id?: string; readonly sessionKey?: string; readonly about?: object } = {}
  ) => {
    count += 1
    const message = { role: "assistant", content: [{ type: "text", text }], stopReason: "stop", timestamp: count }
    return {
      sessionKey: more.sessionKey ?? KEY,
      message: { ...message, ...more.about },
      messageId: more.id ?? `m${count}`
    }
  }

  const makeWorld = Effect.gen(function* () {
    const gateway = yield* makeFakeGateway
    const base = yield* empty
    const world = yield* boardWorldOn(gateway, base)
    // A database's tables are made with its first use, which takes longer than an answer.
    yield* world.board.config
    const say = (payload: object) => Effect.andThen(gateway.tell(payload), world.settle)
    return { ...world, say, gateway }
  })

  describe("a task marker in a session's response", () => {
    it.effect("becomes a proposal of its agent", () =>
      Effect.gen(function* () {
        const { board, say } = yield* makeWorld
        yield* say(response(`Sure. ${CREATE} Anything else?`))
        const [proposal, ...others] = yield* board.proposals(undefined)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(proposal, {
          type: "create",
          payload: { title: "Buy milk" },
          proposedBy: "agent:writer",
          sourceSessionKey: KEY,
          status: "pending"
        })
      })
    )

    it.effect("is read once, also after a restart; another response with the same marker is another proposal", () =>
      Effect.gen(function* () {
        const { base, board, gateway, say, settle } = yield* makeWorld
        yield* say(response(CREATE, { id: "m-1" }))
        yield* say(response(CREATE, { id: "m-1" }))
        assert.lengthOf(yield* board.proposals(undefined), 1)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const again = yield* boardWorldOn(gateway, base)
            yield* say(response(CREATE, { id: "m-1" }))
            yield* settle
            assert.lengthOf(yield* again.board.proposals(undefined), 1)
          })
        )
        yield* say(response(CREATE))
        yield* say(response(CREATE, { id: "m-1", sessionKey: "agent:main:main" }))
        assert.lengthOf(yield* board.proposals(undefined), 3)
      })
    )

    it.effect("counts only in a whole response of an agent, and only if it is valid", () =>
      Effect.gen(function* () {
        const { board, say } = yield* makeWorld
        yield* say(response(CREATE, { about: { stopReason: "aborted" } }))
        yield* say(response(CREATE, { about: { stopReason: "error" } }))
        yield* say(response(CREATE, { about: { openclawAbort: { aborted: true } } }))
        yield* say(response(CREATE, { about: { role: "user" } }))
        yield* say({ sessionKey: KEY, message: { role: "assistant", content: CREATE } })
        yield* say({ sessionKey: KEY, messageId: "odd", message: null })
        yield* say(
          response('[kanban:create]{"titel":1}[/kanban:create] [kanban:update]{"id":"nobody"}[/kanban:update]')
        )
        assert.deepStrictEqual(yield* board.proposals(undefined), [])
        yield* say(response(CREATE.repeat(7)))
        assert.lengthOf(yield* board.proposals(undefined), 5)
      })
    )

    for (const about of ["with the run's id", "without it, as older gateways do"]) {
      it.effect(`of a board's run is proposed by the run alone: told ${about}`, () =>
        Effect.gen(function* () {
          const { board, gateway, pass, runs, settle, until } = yield* makeBoardWorld()
          yield* pass("1 minute")
          const { id } = yield* board.create({ title: "T" })
          const { run } = yield* runs.execute(id, {})
          yield* settle
          const runId = about.startsWith("without") ? {} : { runId: run?.runId }
          const sessionKey = run?.sessionKey ?? ""
          const told = { ...response(CREATE, { sessionKey, about: { timestamp: 60_000 } }), ...runId }
          yield* gateway.tell(told)
          yield* settle
          assert.lengthOf(yield* board.proposals(undefined), 0)
          yield* gateway.finish(CREATE)
          yield* until(id, (found) => found.status === "review")
          yield* gateway.tell({ ...told, messageId: "told late" })
          yield* settle
          assert.lengthOf(yield* board.proposals(undefined), 1)
          yield* gateway.tell(response(CREATE, { sessionKey, about: { timestamp: 60_001 } }))
          yield* settle
          assert.lengthOf(yield* board.proposals(undefined), 2)
        })
      )
    }
  })
})
