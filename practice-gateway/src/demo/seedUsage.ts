import { DateTime } from "effect"
import type { Gateway } from "../Gateway.ts"
import type { Usage } from "../sessions/messages.ts"
import { DEMO_MODELS, type DemoModel } from "../sessions/models.ts"
import type { Session } from "../sessions/SessionStore.ts"
import { COSTLY_JOBS } from "./seedJobs.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS = 92
const MILLION = 1_000_000
/** What cached input costs, as a part of what fresh input does. */
const CACHED_SHARE = 0.1

/** Who worked with which model, and how busily; the order is that of the models on offer. */
const HABITS: ReadonlyArray<{ readonly agent: string; readonly model: number; readonly answers: number }> = [
  { agent: "main", model: 0, answers: 9 },
  { agent: "main", model: 1, answers: 14 },
  { agent: "main", model: 2, answers: 2 },
  { agent: "coder", model: 2, answers: 4 },
  { agent: "coder", model: 0, answers: 3 }
]

/** A number from 0 to 1 that looks random but is the same in every demo. */
const noise = (seed: number): number => {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) ^ 0x297a2d39
  return ((Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0) % 10_000) / 10_000
}

const usageOf = (model: DemoModel, seed: number): Usage => {
  const input = 600 + Math.round(noise(seed) * 5_400)
  const output = 120 + Math.round(noise(seed + 1) * 1_400)
  const cacheRead = Math.round(noise(seed + 2) * 38_000)
  const cost = {
    input: (input * model.price.input) / MILLION,
    output: (output * model.price.output) / MILLION,
    cacheRead: (cacheRead * model.price.input * CACHED_SHARE) / MILLION,
    cacheWrite: 0
  }
  return {
    input,
    output,
    cacheRead,
    cacheWrite: 0,
    totalTokens: input + output + cacheRead,
    cost: { ...cost, total: cost.input + cost.output + cost.cacheRead }
  }
}

const modelAt = (place: number): DemoModel => DEMO_MODELS[place] ?? DEMO_MODELS[0]

const isWeekend = (day: number) => [0, 6].includes(DateTime.getPartUtc(DateTime.makeUnsafe(day), "weekDay"))

/** An answer of which only what it took is left. */
const take = (
  { archive }: Pick<Gateway, "archive">,
  session: Session,
  model: DemoModel,
  { at, seed }: { readonly at: number; readonly seed: number }
) =>
  archive.append(session, {
    ...archive.stamp(session),
    role: "assistant",
    parts: [],
    provider: model.provider,
    model: model.id,
    usage: usageOf(model, seed),
    stopReason: noise(seed) > 0.97 ? "error" : "stop",
    timestamp: at,
    runId: `archive-${session.key}`
  })

const openOld = ({ archive }: Pick<Gateway, "archive">, key: string): Session => {
  const session = archive.open(key)
  session.updatedAt = 0
  return session
}

/** Puts three months of work into the archive, quieter at weekends, so that the usage has something to show. */
export const seedUsage = (gateway: Pick<Gateway, "archive" | "now">): void => {
  const today = Math.floor(gateway.now() / DAY_MS) * DAY_MS
  const days = Array.from({ length: DAYS }, (_, index) => DAYS - index)
  for (const [index, { agent, model: place, answers }] of HABITS.entries()) {
    const model = modelAt(place)
    const session = openOld(gateway, `agent:${agent}:archive-${model.id}`)
    for (const ago of days) {
      const day = today - ago * DAY_MS
      const seed = (index * DAYS + ago) * 100
      const busy = (isWeekend(day) ? 0.25 : 1) * (0.4 + 1.2 * noise(seed))
      for (let answer = 0; answer < Math.round(answers * busy); answer += 1)
        take(gateway, session, model, { at: day + (8 + answer) * HOUR_MS, seed: seed + answer * 7 })
    }
  }
  for (const [index, { id, model: place, runsAWeek }] of COSTLY_JOBS.entries()) {
    const session = openOld(gateway, `agent:main:cron:${id}:run:archive`)
    for (const ago of days) {
      const day = today - ago * DAY_MS
      const isDue = runsAWeek === 7 || (runsAWeek === 5 ? !isWeekend(day) : ago % 7 === 0)
      if (isDue) take(gateway, session, modelAt(place), { at: day + 9 * HOUR_MS, seed: (index + 90) * 1_000 + ago })
    }
  }
}

/** What a session took that the gateway no longer has. */
export interface Spent {
  readonly sessionKey: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly answers: number
}

/** Notes what sessions took, as if they had been deleted since. */
export const spend = (gateway: Pick<Gateway, "archive">, sessions: ReadonlyArray<Spent>): void => {
  for (const { answers, at, sessionKey } of sessions) {
    const session = openOld(gateway, sessionKey)
    for (let answer = 0; answer < answers; answer += 1)
      take(gateway, session, modelAt(answer % 2 === 0 ? 2 : 0), { at: at + answer, seed: answers * 50 + answer * 9 })
  }
}
