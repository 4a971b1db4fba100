import { DateTime } from "effect"
import type { Gateway } from "../Gateway.ts"
import type { Usage } from "../sessions/messages.ts"
import { DEMO_MODELS, type DemoModel } from "../sessions/models.ts"

const DAY_MS = 86_400_000
const DAYS = 45
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

/** Puts six weeks of work into the archive, quieter at weekends, so that the usage has something to show. */
export const seedUsage = ({ archive, now }: Gateway): void => {
  const today = Math.floor(now() / DAY_MS) * DAY_MS
  for (const [index, { agent, model: place, answers }] of HABITS.entries()) {
    const model = DEMO_MODELS[place] ?? DEMO_MODELS[0]
    const session = archive.open(`agent:${agent}:archive-${model.id}`)
    session.updatedAt = 0
    for (let ago = DAYS; ago > 0; ago -= 1) {
      const day = today - ago * DAY_MS
      const weekday = DateTime.getPartUtc(DateTime.makeUnsafe(day), "weekDay")
      const seed = (index * DAYS + ago) * 100
      const busy = (weekday === 0 || weekday === 6 ? 0.25 : 1) * (0.4 + 1.2 * noise(seed))
      for (let answer = 0; answer < Math.round(answers * busy); answer += 1) {
        const failed = noise(seed + answer * 7) > 0.97
        archive.append(session, {
          ...archive.stamp(session),
          role: "assistant",
          parts: [],
          provider: model.provider,
          model: model.id,
          usage: usageOf(model, seed + answer * 7),
          stopReason: failed ? "error" : "stop",
          timestamp: day + (8 + answer) * 3_600_000,
          runId: `archive-${session.key}`
        })
      }
    }
  }
}
