import { assert, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { GatewayMeter } from "../../../src/services/budgets/gatewayMeter.ts"
import { makeSessionStops } from "../../../src/services/budgets/sessionStops.ts"
import { GatewayError } from "../../../src/services/gateway/client/GatewayError.ts"
import { randomFrom } from "../../support/killedProcess.ts"
import { makeBookWorld } from "./bookWorld.ts"

/** `BUDGET_WALKS=200 npx vitest run --project unit test/services/budgets/walks.test.ts` takes a minute. */
const WALKS = Number(process.env.BUDGET_WALKS ?? 20)
const STEPS = 60
const NOON = Date.UTC(2026, 10, 27, 12)
const ROOTS = ["agent:main:one", "agent:main:two", "agent:main:three"] as const
const CHILD = "agent:main:subagent:helper"
const SESSIONS = [...ROOTS, CHILD] as const

/** A session at the gateway: each of its turns is a row of responses, until it's stopped. */
interface GatewaySession {
  /** The run that is running. */
  runId: string | undefined
  turns: number
}

/** What the gateway has said. */
interface Said {
  readonly sessionKey: string
  readonly messageId: string
  readonly nano: number
  /** It was begun after the console had refused work for this session, without that anything kept it from stopping it. */
  readonly isTooLate: boolean
}

const away = new GatewayError({ reason: "unreachable", message: "away" })
const refusal = new GatewayError({ reason: "failed", message: "no" })

const walk = (seed: number) =>
  Effect.gen(function* () {
    const random = randomFrom(seed)
    yield* TestClock.setTime(NOON)
    const world = yield* makeBookWorld
    const sessions = new Map<string, GatewaySession>(SESSIONS.map((key) => [key, { runId: undefined, turns: 0 }]))
    const said: Array<Said> = []
    /** How far the console has read, and how far it knows to have read after a kill. */
    let read = 0
    let isHere = true
    let refusals = 0
    /** Sessions whose stop was refused: the console tries again after a second or more. */
    const refused = new Set<string>()
    let count = 0

    const meter: GatewayMeter = {
      gatewayId: "primary",
      isHere: Effect.sync(() => isHere),
      abort: (sessionKey) =>
        Effect.suspend(() => {
          if (!isHere) return Effect.fail(away)
          refusals -= 1
          if (refusals >= 0) {
            refused.add(sessionKey)
            return Effect.fail(refusal)
          }
          refused.delete(sessionKey)
          const session = sessions.get(sessionKey)
          const isRunning = session?.runId !== undefined
          if (session !== undefined) session.runId = undefined
          return Effect.succeed(isRunning)
        }),
      lookUp: (sessionKey) =>
        Effect.sync(() => ({
          isRunning: sessions.get(sessionKey)?.runId !== undefined,
          isSure: true,
          wasStopped: sessions.get(sessionKey)?.runId === undefined
        })),
      isOver: () => Effect.void,
      reset: () => Effect.void,
      onEvent: () => Effect.void,
      sessionId: Effect.succeed,
      refresh: Effect.void
    }

    let life = yield* Scope.make()
    const begun = Effect.gen(function* () {
      const console = yield* world.start
      const stops = yield* makeSessionStops(console.book, meter, () => Effect.void)
      // What runs is read from the gateway's list.
      for (const [key, { runId }] of sessions) if (runId !== undefined) yield* console.begin(key, runId)
      return { ...console, stops }
    })
    /** The next start of the console, after the end of the one before. */
    const start = Effect.gen(function* () {
      yield* Scope.close(life, Exit.void)
      life = yield* Scope.make()
      return yield* Scope.provide(begun, life)
    })
    let console = yield* start
    yield* console.spawned(CHILD, ROOTS[0])
    yield* console.add("all", { scope: { kind: "all" }, period: "total", limit: { usd: 4e-8 }, zone: "UTC" })
    yield* console.add("one", {
      scope: { kind: "session", sessionKey: ROOTS[0] },
      period: "total",
      limit: { turns: 9 },
      zone: "UTC"
    })

    const catchUp = Effect.suspend(() =>
      Effect.forEach(
        isHere ? said.slice(read) : [],
        ({ messageId, nano, sessionKey }) =>
          Effect.suspend(() => {
            read += 1
            return console.say(sessionKey, messageId, nano)
          }),
        { discard: true }
      )
    )
    const settle = Effect.andThen(
      catchUp,
      Effect.suspend(() => console.stops.pass)
    )
    const begin = Effect.fnUntraced(function* (key: string) {
      const session = sessions.get(key)
      if (session === undefined || session.runId !== undefined || !isHere || console.isHeld(key)) return
      session.turns += 1
      session.runId = `${key} ${session.turns}`
      yield* console.begin(key, session.runId)
    })
    /** The running response of a session ends, and the next one of its turn begins. */
    const respond = Effect.fnUntraced(function* (key: string, isTooLate: boolean) {
      if (sessions.get(key)?.runId === undefined) return
      count += 1
      said.push({ sessionKey: key, messageId: `m${count}`, nano: random(10) + 1, isTooLate })
      yield* settle
    })

    for (let step = 0; step < STEPS; step += 1) {
      const key = SESSIONS[random(SESSIONS.length)] ?? CHILD
      // Nothing keeps the console from stopping it, and it knows that it has to.
      const isTooLate = isHere && console.isHeld(key) && !refused.has(key)
      yield* [
        begin(key),
        begin(key),
        respond(key, isTooLate),
        respond(key, isTooLate),
        respond(key, isTooLate),
        respond(key, isTooLate),
        Effect.gen(function* () {
          // Killed: what it was told last is told again, and the gateway goes on meanwhile.
          const missed = random(3)
          for (let index = 0; index < missed; index += 1) {
            if (sessions.get(key)?.runId === undefined) continue
            count += 1
            said.push({ sessionKey: key, messageId: `m${count}`, nano: random(10) + 1, isTooLate: false })
          }
          read = Math.max(0, read - random(4))
          console = yield* start
          yield* settle
        }),
        Effect.gen(function* () {
          isHere = !isHere
          if (isHere) yield* settle
        }),
        Effect.suspend(() => {
          refusals = random(3)
          return TestClock.adjust("11 seconds").pipe(Effect.andThen(settle))
        })
      ][random(9)] ?? Effect.void
    }

    isHere = true
    refusals = 0
    for (let round = 0; round < 4; round += 1) {
      yield* TestClock.adjust("11 seconds")
      yield* settle
    }
    const late = said.filter(({ isTooLate }) => isTooLate)
    assert.deepStrictEqual(late, [], `seed ${seed}: nothing goes on that the console could have stopped`)
    const spent = said.reduce((sum, { nano }) => sum + nano, 0)
    const all = console.budget("all")
    assert.deepStrictEqual([all.spent.nano, all.spent.turns], [spent, said.length], `seed ${seed}: each counts once`)
    const own = said.filter(({ sessionKey }) => sessionKey === ROOTS[0] || sessionKey === CHILD)
    assert.strictEqual(console.budget("one").spent.turns, own.length, `seed ${seed}: the child counts for its root`)
    assert.strictEqual(all.pausedAt !== undefined, spent >= 40, `seed ${seed}`)
    for (const [key, { runId }] of sessions)
      if (console.isHeld(key)) {
        assert.isUndefined(runId, `seed ${seed}: ${key} stopped`)
        assert.notInclude(["stopping", "restopping"], console.held(key)?.state, `seed ${seed}`)
      }
    yield* Scope.close(life, Exit.void)
    return all.pausedAt !== undefined
  })

it.effect(
  `${WALKS} random walks with kills, a gateway that goes away, refuses stops and repeats itself: each response counts once, and none begins in a session that could have been stopped`,
  () =>
    Effect.gen(function* () {
      let paused = 0
      for (let seed = 1; seed <= WALKS; seed += 1) {
        if (yield* Effect.scoped(walk(seed))) paused += 1
      }
      assert.isAbove(paused, WALKS / 4)
    }),
  600_000
)
