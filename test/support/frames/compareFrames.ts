import type { GenerationName } from "../../../practice-gateway/older/practiceGateway.ts"
import { orderDifferences } from "./orderDifferences.ts"
import { type FramePart, partsOf } from "./partsOf.ts"
import type { Played } from "./playScript.ts"
import { shapeDifferences } from "./shapeDifferences.ts"
import { shapeOf } from "./shapeOf.ts"

/** The number of these events depends on the machine's load; only the position of the first one is compared. */
const isStreamed = (subject: string) => /^(chat delta|agent assistant|agent thinking|agent usage)/.test(subject)

/** The groups whose order is compared; the order between groups depends on timing. */
const LANES: ReadonlyArray<readonly [string, RegExp]> = [
  ["run", /^(agent |chat |chat.send|chat.abort)/],
  ["session", /^(session\.|sessions\.(create|patch|reset|delete|rewind|branches))/],
  ["job", /^cron\b/],
  ["person", /^(question|exec)\b/]
]
/** The newer generation batches changes of a session, so that their order varies. */
const CHANGES = ["changes", /^sessions\.(changed|create|patch|reset|delete)/] as const

/** Fields that depend on timing, such as facts of a turn that begins or ends. */
const BY_CHANCE = [
  // The newer generation sends it only if no other change of the session follows at once.
  /^sessions\.changed rewind\b/,
  // A gateway that has just started may not have checked its own health yet.
  /^connect \.payload\.snapshot\.health\b/,
  /^connect .*eventLoop/,
  // Whether the turn has ended when its message is sent, and whether a row is sent before its first message.
  /^row beside session\.message \.status\b/,
  /^row in events \.lastInteractionAt\b/,
  /^(row (beside|in)|sessions?\.(changed|message)) .*\.(active[A-Za-z]+|startedAt|hasActiveRun|hasAutomation|ancestorSessions|catalogChanged)\b/
]

const bySubject = (played: ReadonlyArray<Played>) => Map.groupBy(played.flatMap(partsOf), ({ subject }) => subject)
const contents = (parts: ReadonlyArray<FramePart>) => shapeOf(parts.map(({ content }) => content))

const orderOf = (played: ReadonlyArray<Played>, scene: string, lane: RegExp) => {
  const mine = played.filter((one) => one.scene === scene && lane.test(one.subject))
  const runs = [...new Set(mine.map(({ frame }) => frame.payload?.runId))]
  // The events of overlapping runs are each in order.
  const lines = runs.flatMap((run) =>
    mine.filter(({ frame }) => frame.payload?.runId === run).map(({ subject }) => subject)
  )
  return lines.filter((line, index) => !isStreamed(line) || lines.indexOf(line) === index)
}

/** Every difference between the responses and events of two gateways during one script, one per line. */
export const compareFrames = (
  gateway: ReadonlyArray<Played>,
  practice: ReadonlyArray<Played>,
  generation: GenerationName
): ReadonlyArray<string> => {
  const theirs = bySubject(gateway)
  const ours = bySubject(practice)
  const shapes = [...new Set([...theirs.keys(), ...ours.keys()])].toSorted().flatMap((subject) => {
    const left = theirs.get(subject)
    const right = ours.get(subject)
    if (left === undefined) return [`${subject}: only practice sends it`]
    if (right === undefined) return [`${subject}: only the gateway sends it`]
    return shapeDifferences(subject, contents(left), contents(right))
  })
  const scenes = [...new Set([...gateway, ...practice].map(({ scene }) => scene))]
  const orders = scenes.flatMap((scene) =>
    (generation === "old" ? [...LANES, CHANGES] : LANES).flatMap(([name, lane]) =>
      orderDifferences(`order of ${scene}, ${name}`, orderOf(gateway, scene, lane), orderOf(practice, scene, lane))
    )
  )
  return [...shapes.filter((line) => !BY_CHANCE.some((pattern) => pattern.test(line))), ...orders]
}
