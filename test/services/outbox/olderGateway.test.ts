import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { LOST } from "../../../src/services/outbox/outboxDelivery.ts"
import { failures, makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const KEY = "agent:main:new"
const OLDER = { protocol: 3, version: "2026.3.23-2", scopes: [], methods: new Set<string>() }
const TEXT = "Look it all up"
const BEGAN = 1_000_000

/** An older gateway's sessions: it lists a running one, and writes its first message down with the response. */
interface GatewayState {
  startedAt: number
  rows: ReadonlyArray<object>
  messages: ReadonlyArray<object>
}

/** A console on this folder in front of the gateway. */
const openConsole = Effect.fnUntraced(function* (svcHome: string, state: GatewayState) {
  const gateway = yield* makeAnsweringGateway(
    ({ method }) => {
      if (method === "chat.send") return Effect.succeed({ status: "started" })
      if (method === "chat.history") return Effect.sync(() => ({ messages: state.messages }))
      if (method === "sessions.list") return Effect.sync(() => ({ ts: BEGAN, sessions: state.rows }))
      return Effect.fail(failures.missingScope)
    },
    OLDER,
    state.startedAt
  )
  const { send } = yield* makeJsonApp({ settings: { svcHome }, gateway: gateway.layer })
  const post = send("POST", "/api/outbox", { id: randomUUID(), sessionKey: KEY, text: TEXT, mode: "next" })
  const states: Effect.Effect<ReadonlyArray<string>> = Effect.map(
    send("GET", `/api/outbox?sessionKey=${KEY}`),
    ({ body }) =>
      body.items.map((item: { readonly state: string; readonly error?: string }) => item.error ?? item.state)
  )
  return { gateway, post, states }
})

/** Consoles on one folder, one after the other. */
const makeWorld = Effect.gen(function* () {
  const svcHome = yield* temporaryFolder
  const state: GatewayState = { startedAt: BEGAN - 60_000, rows: [], messages: [] }
  const run = <A>(body: (app: Effect.Success<ReturnType<typeof openConsole>>) => Effect.Effect<A>) =>
    Effect.scoped(Effect.flatMap(openConsole(svcHome, state), body))
  return { state, run }
})

const ROW = { key: KEY, status: "running", startedAt: BEGAN }
const written = (text: string) => [{ role: "user", content: [{ type: "text", text }], timestamp: BEGAN + 10 }]
const ANSWER = { role: "assistant", stopReason: "stop", content: "Done.", timestamp: BEGAN + 60_000 }

describe("the first message of a session on an older gateway", () => {
  it.effect.each([ROW, { ...ROW, startedAt: null, updatedAt: BEGAN }, { ...ROW, startedAt: null }])(
    "stays with the agent through a restart of the console, and is done with its answer: %o",
    (row) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(BEGAN)
        const { run, state } = yield* makeWorld
        yield* run(({ post, states }) =>
          Effect.gen(function* () {
            yield* post
            yield* TestClock.adjust("3 seconds")
            assert.deepStrictEqual(yield* states, ["handed"])
          })
        )
        // Another connection to the same process calculates its start anew.
        state.startedAt += 13
        state.rows = [row]
        yield* run(({ states }) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("40 seconds")
            assert.deepStrictEqual(yield* states, ["handed"])
            state.rows = [{ ...row, status: "done" }]
            state.messages = [...written(TEXT), ANSWER]
            yield* TestClock.adjust("40 seconds")
            assert.deepStrictEqual(yield* states, [])
          })
        )
      })
  )

  it.effect("is given back when another process of the gateway knows nothing of it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(BEGAN)
      const { run, state } = yield* makeWorld
      yield* run(({ post }) => Effect.andThen(post, TestClock.adjust("3 seconds")))
      state.startedAt = BEGAN + 3_000
      yield* run(({ states }) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("10 seconds")
          assert.deepStrictEqual(yield* states, [LOST.message])
        })
      )
    })
  )
})

describe("a message that was given back", () => {
  const givenBack = Effect.gen(function* () {
    yield* TestClock.setTime(BEGAN)
    const { run, state } = yield* makeWorld
    yield* run(({ post }) => Effect.andThen(post, TestClock.adjust("3 seconds")))
    state.startedAt = BEGAN + 3_000
    yield* run(({ states }) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* states, [LOST.message])
      })
    )
    return { run, state }
  })

  it.effect("is withdrawn if it's in the history after all, at the next connection", () =>
    Effect.gen(function* () {
      const { run, state } = yield* givenBack
      state.messages = [...written(TEXT), ANSWER]
      yield* run(({ states }) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("10 seconds")
          assert.deepStrictEqual(yield* states, [])
        })
      )
    })
  )

  it.effect("is taken back when a response in its session ends", () =>
    Effect.gen(function* () {
      const { run, state } = yield* givenBack
      yield* run(({ gateway, states }) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("10 seconds")
          assert.deepStrictEqual(yield* states, [LOST.message])
          state.messages = [...written(TEXT), ANSWER]
          yield* gateway.emit("chat", { runId: "later", sessionKey: KEY, state: "final", message: ANSWER })
          yield* TestClock.adjust("10 seconds")
          assert.deepStrictEqual(yield* states, [])
        })
      )
    })
  )

  it.effect("stays if the history has other text", () =>
    Effect.gen(function* () {
      const { run, state } = yield* givenBack
      state.messages = [...written("Something else"), ANSWER]
      yield* run(({ states }) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("2 minutes")
          assert.deepStrictEqual(yield* states, [LOST.message])
        })
      )
    })
  )
})
