import { assert, describe, it } from "@effect/vitest"
import { compareFrames } from "./compareFrames.ts"
import { orderDifferences } from "./orderDifferences.ts"
import type { Played } from "./playScript.ts"
import { shapeDifferences } from "./shapeDifferences.ts"
import { shapeOf } from "./shapeOf.ts"

const event = (subject: string, payload: Readonly<Record<string, unknown>>): Played => ({
  scene: "a turn",
  subject,
  frame: { type: "event", event: subject.split(" ")[0] ?? "", payload }
})

const kinds = (value: unknown) => Object.fromEntries([...shapeOf([value])].map(([path, found]) => [path, [...found]]))

describe("the shape of an answer", () => {
  it("names each path and its kind, and the words that clients branch on", () => {
    assert.deepStrictEqual(kinds({ ok: true, payload: { status: "started", runId: "r-1", at: 5, gone: null } }), {
      "": ["object"],
      ".ok": ["true"],
      ".payload": ["object"],
      ".payload.at": ["number"],
      ".payload.gone": ["null"],
      ".payload.runId": ["text"],
      ".payload.status": ['"started"']
    })
  })

  it("distinguishes elements by their kind, and treats ids that are keys as one", () => {
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: [{ type: "text", text: "hello" }] }
    ]
    const shape = kinds({ messages, previews: { "0b5bbe32-1": 1, "agent:main:x": 2 } })
    assert.deepStrictEqual(shape[".messages[role=user].content"], ["text"])
    assert.deepStrictEqual(shape[".messages[role=assistant].content[type=text].text"], ["text"])
    assert.deepStrictEqual(shape[".previews.*"], ["number"])
  })

  it("says of several samples what is in some of them only", () => {
    assert.deepStrictEqual([...(shapeOf([{ a: 1, b: "x" }, { a: 2 }]).get(".b") ?? [])], ["text", "absent"])
  })

  it("keeps the fixed words of a refusal, without times, ids and choices", () => {
    const message = "schedule.at is in the past: 2001-01-01T00:00:00.000Z (13617692 minutes ago)"
    assert.deepStrictEqual(kinds({ error: { message } })[".error.message"], [
      '"schedule.at is in the past: … (… minutes ago)"'
    ])
  })
})

describe("the differences of two shapes", () => {
  it("are a line each, what one side lacks as a whole only once", () => {
    const gateway = shapeOf([{ a: 1, row: { key: "x", deep: { er: 1 } } }])
    const practice = shapeOf([{ a: "1", extra: true }])
    assert.deepStrictEqual(shapeDifferences("answer", gateway, practice), [
      "answer .a: gateway number, practice text",
      "answer .extra: gateway nothing, practice boolean",
      "answer .row: gateway object, practice nothing"
    ])
  })
})

describe("the differences of two orders", () => {
  it("say after what one side sends more", () => {
    assert.deepStrictEqual(orderDifferences("run", ["start", "tool", "final"], ["start", "final", "late"]), [
      "run, after start: only the gateway sends tool",
      "run, after final: only practice sends late"
    ])
    assert.deepStrictEqual(orderDifferences("run", ["start"], ["start"]), [])
  })
})

describe("two gateways beside each other", () => {
  const turn = [
    event("chat delta", { runId: "1", state: "delta" }),
    event("chat delta", { runId: "1", state: "delta" }),
    event("chat final", { runId: "1", state: "final" })
  ]

  it("differ in nothing when one only streams in more pieces, or another run comes in between", () => {
    const [delta, , final] = turn
    const other = event("chat final", { runId: "2", state: "final" })
    const first = [...turn, other]
    const second = [delta, other, final].flatMap((one) => one ?? [])
    assert.deepStrictEqual(compareFrames(first, second, "new"), [])
  })

  it("differ in what only one sends, in its fields and in its order", () => {
    const gateway = [...turn, event("cron finished", { jobId: "j" })]
    const practice = [...turn.toReversed(), event("chat aborted", { runId: "1", state: "aborted" })]
    assert.deepStrictEqual(compareFrames(gateway, practice, "new"), [
      "chat aborted: only practice sends it",
      "cron finished: only the gateway sends it",
      "order of a turn, run, after the start: only practice sends chat final",
      "order of a turn, run, after chat delta: only practice sends chat aborted",
      "order of a turn, run, after chat delta: only the gateway sends chat final",
      "order of a turn, job, after the start: only the gateway sends cron finished"
    ])
  })

  it("are compared by the session's row once for all events, where null is nothing", () => {
    const row = { key: "k", label: null, status: "done" }
    const with_ = (session: object) =>
      event("sessions.changed end", { sessionKey: "k", phase: "end", status: "done", session })
    assert.deepStrictEqual(compareFrames([with_(row)], [with_({ key: "k", status: "done", mine: 1 })], "new"), [
      "row in events .mine: gateway nothing, practice number"
    ])
  })
})
