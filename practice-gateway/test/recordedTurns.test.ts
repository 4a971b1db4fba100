import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Frame } from "../../test/support/gatewayLink.ts"
import recorded from "../../test/support/recorded/turns.json" with { type: "json" }
import { practiceGateway } from "../older/practiceGateway.ts"
import { operator, scriptedAgent } from "./operator.ts"

type Turns = typeof recorded.new.turns
const keysOf = (value: object) => Object.keys(value).sort().join(" ")
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const field = (value: unknown, key: string) => {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === "string" ? found : undefined
}

/** The `agent` and `chat` events of a turn, each as event, state, phase, numbering and its keys. */
const signature = (frame: Frame, generation: "old" | "new"): ReadonlyArray<string> => {
  const { event, payload = {}, seq } = frame
  if (event !== "agent" && event !== "chat" && event !== "session.tool") return []
  const stream = field(payload, "stream")
  const phase = field(payload.data, "phase") ?? field(payload, "phase") ?? ""
  const mark = [event, field(payload, "state") ?? stream ?? "", phase, seq === undefined ? "-" : "#"].join(" ")
  const keys = stream === "tool" && generation === "new" ? "…" : keysOf(payload)
  return [`${mark} | ${keys}${isObject(payload.data) ? ` | ${keysOf(payload.data)}` : ""}`]
}

/** The number of events for streamed text depends on the machine, so consecutive ones count once. */
const withoutRepeats = (lines: ReadonlyArray<string>) =>
  lines.filter((line, index) => {
    const streamed = /^(agent assistant|agent thinking|chat delta)/.test(line)
    if (!streamed) return true
    let back = index - 1
    while (back >= 0 && /^(agent assistant|agent thinking|chat delta)/.test(lines[back] ?? "")) {
      if (lines[back] === line) return false
      back -= 1
    }
    return true
  })

/** The recorded model sent thinking and text in one go, so where usage came between them says nothing. */
const uniqueSorted = (lines: ReadonlyArray<string>) => [...new Set(lines)].sort()

const sessionKeys = (frames: ReadonlyArray<Frame>) => {
  const found = new Map<string, Set<string>>()
  for (const { event, payload = {}, seq } of frames) {
    if (event !== "sessions.changed" && event !== "session.message") continue
    const mark =
      event === "session.message"
        ? field(payload.message, "role")
        : (field(payload, "phase") ?? field(payload, "reason"))
    const name = `${event} ${mark} ${seq === undefined ? "-" : "#"}`
    const keys = found.get(name) ?? new Set()
    for (const key of Object.keys(payload)) keys.add(key)
    found.set(name, keys)
  }
  return found
}

const MESSAGES: Readonly<Record<keyof Turns, string>> = {
  "chat-turn": "hello there",
  "chat-tool": "run it [tool]",
  "chat-thinking": "[think]",
  "chat-abort": "[hang]",
  "chat-error": "[fail]",
  "chat-spawn": "[spawn]"
}

const END: Readonly<Record<keyof Turns, (frame: Frame) => boolean>> = {
  "chat-turn": (frame) => frame.payload?.state === "final",
  "chat-tool": (frame) => frame.payload?.state === "final",
  "chat-thinking": (frame) => frame.payload?.state === "final",
  "chat-abort": (frame) => frame.payload?.state === "aborted",
  "chat-error": (frame) => frame.payload?.state === "error",
  "chat-spawn": (frame) => frame.payload?.state === "final" && String(frame.payload.runId).startsWith("announce:")
}

const TURNS = ["chat-turn", "chat-tool", "chat-thinking", "chat-abort", "chat-error", "chat-spawn"] as const

/** Present or absent by what happened in the session before, not by the event. */
const BY_HISTORY = [
  "status",
  "startedAt",
  "endedAt",
  "runtimeMs",
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "estimatedCostUsd",
  "abortedLastRun",
  "thinkingLevel"
]

/** Recorded events that answer an earlier `sessions.patch`, or that repeat a sub-agent's row in the older generation. */
const NOT_OF_THE_TURN = /^sessions.changed (patch|.+ -$)/

/** How events for those who asked for them are numbered. */
const MARKS = { old: "-", new: "#" } as const

const play = Effect.fnUntraced(function* (turn: keyof Turns) {
  const { link } = yield* operator()
  yield* link.call("sessions.subscribe")
  yield* link.call("chat.send", { sessionKey: "main", message: "warm up", idempotencyKey: "warm" })
  yield* link.waitFor((frame) => frame.event === "chat" && frame.payload?.state === "final")
  yield* link.call("health")
  const from = link.frames.length
  yield* link.call("chat.send", { sessionKey: "main", message: MESSAGES[turn], idempotencyKey: "turn" })
  if (turn === "chat-abort") {
    yield* link.waitFor((frame) => frame.payload?.state === "delta", from)
    yield* link.call("chat.abort", { sessionKey: "main" })
  }
  yield* link.waitFor((frame) => frame.event === "chat" && END[turn](frame), from)
  yield* link.call("health")
  return link.frames.slice(from)
})

for (const generation of ["old", "new"] as const) {
  const layer = practiceGateway({ generation, tokenMs: 0, seed: false, agent: scriptedAgent })
  describe(`turns of the ${generation} generation, beside the recorded ones`, () => {
    for (const turn of TURNS) {
      it.live(`${turn}: the same events with the same fields in the same order`, () =>
        Effect.gen(function* () {
          const frames = yield* play(turn)
          const lines = withoutRepeats(frames.flatMap((frame) => signature(frame, generation)))
          const expected = withoutRepeats(recorded[generation].turns[turn].lines)
          const inOrder = turn !== "chat-thinking"
          assert.deepStrictEqual(inOrder ? lines : uniqueSorted(lines), inOrder ? expected : uniqueSorted(expected))
        }).pipe(Effect.provide(layer))
      )

      if (turn !== "chat-spawn")
        it.live(`${turn}: the same session events with the same fields`, () =>
          Effect.gen(function* () {
            const found = sessionKeys(yield* play(turn))
            const expected: Readonly<Record<string, string>> = recorded[generation].turns[turn].session
            // The recorded changes leave out what they repeat of the session's row, as messages do.
            const repeated = [
              "ancestorSessions",
              ...(expected[`session.message user ${MARKS[generation]}`] ?? "").split(" ")
            ]
            const differences = Object.entries(expected).flatMap(([name, keys]) => {
              if (NOT_OF_THE_TURN.test(name) && !/(start|message|end|error) -$/.test(name)) return []
              const compared = (key: string) => !BY_HISTORY.includes(key)
              const mine = [...(found.get(name) ?? [])].filter(compared)
              const theirs = keys.split(" ").filter(compared)
              return [
                ...theirs.filter((key) => !mine.includes(key)).map((key) => `${name} lacks ${key}`),
                ...mine
                  .filter((key) => !theirs.includes(key) && !repeated.includes(key))
                  .map((key) => `${name} invents ${key}`)
              ]
            })
            assert.deepStrictEqual(differences, [])
          }).pipe(Effect.provide(layer))
        )
    }
  })
}
