import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { TASK_STATUSES } from "../../../../src/contract/board.ts"
import { englishSentence } from "../../../../src/contract/failures.ts"
import { holdsPerson, isHeld, type StartFacts, startGate } from "../../../../src/services/board/flow/startGate.ts"

const FREE: StartFacts = {
  now: 100,
  startAt: undefined,
  after: [],
  isStopped: false,
  budget: undefined,
  gateway: "there"
}

const ROOM = { used: 0, limit: 1 }
const AUTOMATIC: NonNullable<StartFacts["automatic"]> = {
  isSwitchedOff: false,
  board: ROOM,
  agent: { ...ROOM, name: "main" },
  column: { used: 9, limit: 0 },
  usage: undefined
}

const kinds = (facts: StartFacts) => {
  const found = startGate(facts).map(({ kind }) => kind)
  assert.strictEqual(isHeld(facts), found.length > 0)
  return found
}

describe("the gate", () => {
  it("lets a card start that nothing holds", () => {
    assert.deepStrictEqual(startGate(FREE), [])
    assert.deepStrictEqual(startGate({ ...FREE, automatic: AUTOMATIC }), [])
    assert.deepStrictEqual(startGate({ ...FREE, after: [{ id: "a", status: "done" }], startAt: 100 }), [])
  })

  it("names every reason at once", () => {
    const full = { used: 1, limit: 1 }
    const held: StartFacts = {
      now: 100,
      startAt: 101,
      after: [
        { id: "gone", status: undefined },
        { id: "open", title: "Open", status: "review" }
      ],
      isStopped: true,
      budget: { id: "budget", until: 200 },
      gateway: "away",
      automatic: {
        isSwitchedOff: true,
        board: full,
        agent: { ...full, name: "main" },
        column: full,
        usage: { until: 300 }
      }
    }
    assert.deepStrictEqual(
      startGate(held).map(({ kind, id, until }) => [kind, id, until]),
      [
        ["card", "open", undefined],
        ["time", undefined, 101],
        ["person", "gone", undefined],
        ["person", undefined, undefined],
        ["capacity", undefined, undefined],
        ["wip", undefined, undefined],
        ["budget", "budget", 200],
        ["stop", undefined, undefined],
        ["limit", undefined, 300],
        ["gateway", undefined, undefined]
      ]
    )
    // Each has its sentence as a code with values, too.
    assert.deepStrictEqual(
      startGate(held).map(({ details, why }) => why && [why.code, details === englishSentence(why)]),
      [
        ["CARD_NOT_DONE", true],
        ["TIME_NOT_COME", true],
        ["CARD_BEFORE_DELETED", true],
        ["STARTS_ARE_OFF", true],
        ["AGENT_IS_BUSY", true],
        ["RUNNING_COLUMN_IS_FULL", true],
        ["BUDGET_USED_UP", true],
        ["EVERYTHING_STOPPED", true],
        ["USAGE_USED_UP", true],
        ["CARD_GATEWAY_AWAY", true]
      ]
    )
    const crowded = { ...FREE, automatic: { ...AUTOMATIC, board: { used: 3, limit: 3 } } }
    assert.deepStrictEqual(startGate(crowded), [
      {
        kind: "capacity",
        details: "3 cards run already, and 3 may run at once",
        why: { code: "BOARD_IS_BUSY", values: { used: 3, limit: 3 } }
      }
    ])
    assert.deepStrictEqual(
      startGate(held)
        .filter(holdsPerson)
        .map(({ kind, id }) => [kind, id]),
      [
        ["card", "open"],
        ["time", undefined],
        ["person", "gone"]
      ]
    )
  })

  it("holds a card that a person starts neither for room nor for a gateway that is away", () => {
    assert.deepStrictEqual(kinds({ ...FREE, gateway: "away" }), [])
    assert.deepStrictEqual(kinds({ ...FREE, gateway: "unknown" }), ["gateway"])
  })

  it("fails closed where something isn't known", () => {
    const none = { used: Number.NaN, limit: 1 }
    assert.deepStrictEqual(kinds({ ...FREE, startAt: Number.NaN }), ["time"])
    assert.deepStrictEqual(kinds({ ...FREE, now: Number.NaN, startAt: 1 }), ["time"])
    assert.deepStrictEqual(kinds({ ...FREE, automatic: { ...AUTOMATIC, board: none } }), ["capacity"])
    assert.deepStrictEqual(kinds({ ...FREE, automatic: { ...AUTOMATIC, column: none } }), ["wip"])
  })

  const Status = Schema.UndefinedOr(Schema.Literals(TASK_STATUSES))
  const Room = Schema.Struct({ used: Schema.Literals([0, 1, 2, 3]), limit: Schema.Literals([1, 2, 3]) })

  it.prop(
    "agrees with the rules in plain words, whatever the facts",
    {
      after: Schema.Array(Status),
      now: Schema.Int,
      startAt: Schema.UndefinedOr(Schema.Int),
      isStopped: Schema.Boolean,
      hasBudget: Schema.Boolean,
      gateway: Schema.Literals(["there", "away", "unknown"]),
      isAutomatic: Schema.Boolean,
      isSwitchedOff: Schema.Boolean,
      board: Room,
      agent: Room,
      column: Room,
      isUsedUp: Schema.Boolean
    },
    (given) => {
      const { agent, board, column, gateway, isAutomatic, isStopped, isSwitchedOff, now, startAt } = given
      const found = new Set(
        kinds({
          now,
          startAt,
          after: given.after.map((status, index) => ({ id: `${index}`, status })),
          isStopped,
          budget: given.hasBudget ? { id: "b" } : undefined,
          gateway,
          ...(isAutomatic
            ? {
                automatic: {
                  isSwitchedOff,
                  board,
                  agent: { ...agent, name: "main" },
                  column,
                  usage: given.isUsedUp ? {} : undefined
                }
              }
            : {})
        })
      )
      const holds = {
        card: given.after.some((status) => status !== undefined && status !== "done"),
        time: startAt !== undefined && startAt > now,
        person: given.after.includes(undefined) || (isAutomatic && isSwitchedOff),
        capacity: isAutomatic && (board.used >= board.limit || agent.used >= agent.limit),
        wip: isAutomatic && column.used >= column.limit,
        budget: given.hasBudget,
        stop: isStopped,
        limit: isAutomatic && given.isUsedUp,
        gateway: gateway === "unknown" || (isAutomatic && gateway === "away")
      }
      const expected = Object.entries(holds).flatMap(([kind, is]) => (is ? [kind] : []))
      assert.deepStrictEqual([...found].toSorted(), expected.toSorted())
    }
  )
})
