import { Effect } from "effect"
import type { GenerationName } from "../../../practice-gateway/older/practiceGateway.ts"
import type { Frame, Link } from "../gatewayLink.ts"

type Json = Readonly<Record<string, unknown>>

/** A request; `keep` names fields of the answer that later steps write as `$name`. */
interface Request {
  readonly method: string
  readonly params?: Json
  /** The variant of a request; requests of one method and variant are compared together. */
  readonly about?: string
  readonly keep?: Readonly<Record<string, string>>
}

/** Waits for an event with these fields in its payload. */
interface Wait {
  readonly event: string
  readonly fields?: Json
  readonly keep?: Readonly<Record<string, string>>
}

/** A part of the script. Its events are those that name its own session, its runs or what it keeps. */
export interface Scene {
  readonly title: string
  /** The one generation that has it; without it both do. */
  readonly only?: GenerationName
  /** Every command needs a permission from here on. */
  readonly asks?: true
  readonly steps: ReadonlyArray<Request | Wait>
}

/** The responses and events in the order of arrival, each with its scene. */
export interface Played {
  readonly scene: string
  /** What it is compared as. */
  readonly subject: string
  readonly frame: Frame
}

const fill = (value: unknown, kept: ReadonlyMap<string, unknown>): unknown => {
  if (typeof value === "string") return value.startsWith("$") ? (kept.get(value.slice(1)) ?? value) : value
  if (Array.isArray(value)) return value.map((inner) => fill(inner, kept))
  return typeof value === "object" && value !== null ? fillFields(Object.entries(value), kept) : value
}

const fillFields = (entries: ReadonlyArray<[string, unknown]>, kept: ReadonlyMap<string, unknown>): Json =>
  Object.fromEntries(entries.map(([key, inner]) => [key, fill(inner, kept)]))

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null ? Object.getOwnPropertyDescriptor(inner, key)?.value : undefined,
      value
    )

const word = (value: unknown, path: string) => {
  const found = at(value, path)
  return typeof found === "string" ? ` ${found}` : ""
}

/** The name under which an event is compared: its own, and the parts of its payload that identify its subject. */
const eventSubject = ({ event = "", payload }: Frame) => {
  if (event === "agent") return `agent${word(payload, "stream")}${word(payload, "data.phase")}`
  if (event === "chat") return `chat${word(payload, "state")}${word(payload, "phase")}`
  if (event === "session.message") return `session.message${word(payload, "message.role")}`
  if (event === "sessions.changed") return `sessions.changed${word(payload, "phase") || word(payload, "reason")}`
  return `${event}${word(payload, "action")}`
}

const PATIENCE = "30 seconds"

/** The events a console subscribes to, without those that change by themselves. */
const isHeard = (subject: string) =>
  /^(agent|chat|cron|session\.(message|tool)|sessions\.changed|question\.[a-z]+|exec\.approval\.[a-z]+)( |$)/.test(
    subject
  ) && !/^sessions\.changed (placement|cron-binding)$/.test(subject)

/** Plays the scenes over a connection and returns the received frames. */
export const playScript = Effect.fnUntraced(function* (
  link: Link,
  scenes: ReadonlyArray<Scene>,
  options: {
    /** The initial value of `$name`. */
    readonly names: Readonly<Record<string, string>>
    /** Makes every command need a permission. */
    readonly ask: Effect.Effect<void>
  }
) {
  const played: Array<Played> = []
  const owners: Array<{ readonly mark: string; readonly scene: string }> = []
  const answers = new Map<Frame, { readonly scene: string; readonly subject: string }>()
  const start = link.frames.length
  for (const { title, asks, steps } of scenes) {
    if (asks === true) yield* options.ask
    const kept = new Map<string, unknown>(Object.entries(options.names))
    const from = link.frames.length
    const seen = new Set<Frame>()
    owners.push({ mark: `frames-${title.replaceAll(" ", "-")}`, scene: title })
    kept.set("key", `agent:main:frames-${title.replaceAll(" ", "-")}`)
    for (const step of steps) {
      const frame =
        "method" in step
          ? yield* link.request(step.method, fillFields(Object.entries(step.params ?? {}), kept))
          : yield* link
              .waitFor((candidate) => {
                if (candidate.event !== step.event || seen.has(candidate)) return false
                const wanted = fillFields(Object.entries(step.fields ?? {}), kept)
                return Object.entries(wanted).every(([path, value]) => at(candidate.payload, path) === value)
              }, from)
              .pipe(
                Effect.timeoutOrElse({
                  duration: PATIENCE,
                  orElse: () => Effect.die(new Error(`${title}: waited in vain for ${JSON.stringify(step)}`))
                })
              )
      if ("method" in step)
        answers.set(frame, {
          scene: title,
          subject: `${step.method}${step.about === undefined ? "" : ` (${step.about})`}`
        })
      else seen.add(frame)
      for (const [name, path] of Object.entries(step.keep ?? {})) {
        const value = at(frame.payload, path)
        kept.set(name, value)
        if (typeof value === "string") owners.push({ mark: value, scene: title })
      }
    }
  }
  for (const frame of link.frames.slice(start)) {
    const answer = answers.get(frame)
    const text = frame.event === undefined ? "" : JSON.stringify(frame.payload)
    const owner = owners.find(({ mark }) => text.includes(mark))
    if (answer !== undefined) played.push({ ...answer, frame })
    else if (owner !== undefined && isHeard(eventSubject(frame)))
      played.push({ scene: owner.scene, subject: eventSubject(frame), frame })
  }
  return played
})
