import { DateTime } from "effect"
import type { CronJob } from "../cron/CronJobs.ts"
import { earlierRuns } from "../cron/cronSchedule.ts"
import type { Gateway } from "../Gateway.ts"
import type { Session } from "../sessions/SessionStore.ts"
import type { JsonObject } from "../wire/frames.ts"

/** The job whose last run is among the demo's sessions. */
export const REPORT_JOB_ID = "5f0c7c1e-3d0b-4f4e-9d0e-6f5b8a3f2c11"
/** The jobs that cost something, and what a run of each takes compared with others. */
export const COSTLY_JOBS = [
  { id: REPORT_JOB_ID, runsAWeek: 5, model: 0 },
  { id: "0c3c8d4e-6c43-4a53-8d0c-3f1a8f6b9e03", runsAWeek: 1, model: 2 },
  { id: "d7963e1c-02d7-4abc-8941-edc27a22f033", runsAWeek: 7, model: 1 }
] as const

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** One run that ended. */
interface Ran {
  readonly took: number
  readonly summary?: string
  readonly error?: string
  readonly model?: string
}

/** A job and its last runs, the newest first: their times are those of its schedule. */
type Seed = Pick<CronJob, "id" | "name" | "schedule"> & Partial<CronJob> & { readonly runs?: ReadonlyArray<Ran> }

const turn = (message: string, model?: string): CronJob["payload"] => ({
  kind: "agentTurn",
  message,
  ...(model === undefined ? {} : { model })
})

const statusOf = ({ error }: Ran) => (error === undefined ? "ok" : "error")

const stateOf = (runs: ReadonlyArray<Ran>, times: ReadonlyArray<number>): CronJob["state"] => {
  const [last] = runs
  const [at] = times
  if (last === undefined || at === undefined) return {}
  const fine = runs.findIndex(({ error }) => error === undefined)
  return {
    lastRunAtMs: at,
    lastRunStatus: statusOf(last),
    lastStatus: statusOf(last),
    lastDurationMs: last.took,
    consecutiveErrors: fine < 0 ? runs.length : fine,
    ...(last.error === undefined ? {} : { lastError: last.error })
  }
}

const jobOf = ({ runs = [], ...seed }: Seed, times: ReadonlyArray<number>, now: number): CronJob => ({
  description: undefined,
  enabled: true,
  deleteAfterRun: undefined,
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: turn(seed.name),
  delivery: { mode: "none" },
  createdAtMs: now - 120 * DAY_MS,
  updatedAtMs: times[0] ?? now - 2 * DAY_MS,
  state: stateOf(runs, times),
  ...seed
})

const entryOf = (jobId: string, at: number, ran: Ran): JsonObject => ({
  ts: at + ran.took,
  jobId,
  action: "finished",
  status: statusOf(ran),
  completionStatus: ran.error === undefined ? "succeeded" : "failed",
  delivered: false,
  deliveryStatus: "not-requested",
  runAtMs: at,
  durationMs: ran.took,
  model: ran.model ?? "companion",
  provider: "demo",
  usage: { input_tokens: 1_480, output_tokens: 96, total_tokens: 1_576 },
  ...(ran.error === undefined ? { summary: ran.summary ?? "" } : { error: ran.error })
})

const TIMED_OUT = "The mail server didn't answer within 30 s."
/** What the last morning report said, in its session too. */
export const REPORT = "Good morning! One card waits for your review, one is overdue, and the harbour is free of fog."

const REPORT_SCHEDULE = { kind: "cron", expr: "0 9 * * 1-5", tz: "UTC" } as const

/** When the last morning report began. */
export const lastReportAt = (now: number): number => earlierRuns(REPORT_SCHEDULE, now, 1)[0] ?? now

const seedsOf = (now: number): ReadonlyArray<Seed> => [
  {
    id: REPORT_JOB_ID,
    name: "Morning report",
    description: "A short report every working day.",
    schedule: REPORT_SCHEDULE,
    payload: turn("Give me a short morning report."),
    runs: [
      { took: 4_000, summary: REPORT },
      { took: 5_200, summary: "Good morning! The lamp's new glass has arrived. Nothing is overdue." },
      { took: 61_000, error: "The model didn't answer in time." },
      { took: 3_900, summary: "Good morning! A quiet day: no fog, no letters, and the calendar is empty." }
    ]
  },
  {
    id: "a9d1b1f6-52c4-4c6e-9a35-7f5f3f7f0d02",
    name: "Look through the letters",
    description: "Sorts new mail and says what can't wait.",
    schedule: { kind: "every", everyMs: 30 * MINUTE_MS, anchorMs: now - 12 * MINUTE_MS },
    payload: turn("Look through the inbox and tell me what can't wait.", "demo/swift"),
    runs: [
      { took: 31_000, error: TIMED_OUT, model: "swift" },
      { took: 31_000, error: TIMED_OUT, model: "swift" },
      { took: 6_400, summary: "Three new letters, none of them urgent.", model: "swift" }
    ]
  },
  {
    id: COSTLY_JOBS[1].id,
    name: "Weekly review",
    schedule: { kind: "cron", expr: "30 16 * * 5", tz: "Europe/Berlin" },
    payload: turn("Review the week: what was done, what is stuck, what comes next.", "demo/scholar"),
    delivery: { mode: "announce", channel: "last" },
    runs: [
      {
        took: 48_200,
        summary: "Four cards done, one stuck at the printer's. Next week: the newsletter.",
        model: "scholar"
      },
      { took: 52_700, summary: "Two cards done. The lamp waits for its glass.", model: "scholar" }
    ]
  },
  {
    id: "7b1f0b52-98e0-4b1a-8f0e-2a4f1f3c7d04",
    name: "Renew the certificate",
    schedule: {
      kind: "at",
      at: DateTime.formatIso(DateTime.makeUnsafe(Math.floor(now / DAY_MS) * DAY_MS + 12 * DAY_MS + 9 * HOUR_MS))
    },
    sessionTarget: "main",
    payload: { kind: "systemEvent", text: "Remind me that the certificate ends in two weeks." }
  },
  {
    id: "e2a5c1d0-1a58-4e5e-b1f7-9c8d7e6f5a05",
    name: "Tidy the notes",
    enabled: false,
    schedule: { kind: "cron", expr: "0 3 1 * *", tz: "UTC" },
    payload: turn("Merge notes that say the same."),
    runs: [{ took: 22_600, summary: "Merged six notes into two." }]
  },
  {
    id: COSTLY_JOBS[2].id,
    declarationKey: "memory-core:memory-dreaming-promotion",
    name: "Memory Dreaming Promotion",
    description: "Keeps what was often remembered.",
    schedule: { kind: "cron", expr: "0 3 * * *" },
    payload: { ...turn("Promote what was often remembered."), lightContext: true },
    runs: [
      { took: 11_300, summary: "Promoted two memories.", model: "swift" },
      { took: 9_800, summary: "Nothing to promote.", model: "swift" }
    ]
  }
]

/** Gives a new gateway jobs of every kind: due, failing, one-off, disabled, and one of the gateway's own. */
export const seedJobs = ({ cron, now: clock }: Pick<Gateway, "cron" | "now">, report: Session): void => {
  const now = clock()
  for (const seed of seedsOf(now)) {
    const { id, runs = [], schedule } = seed
    const times = earlierRuns(schedule, now - MINUTE_MS, runs.length)
    cron.save(jobOf(seed, times, now), "added")
    const entries = runs.flatMap((ran, index) => {
      const at = times[index]
      if (at === undefined) return []
      const session = id === REPORT_JOB_ID && index === 0 ? { sessionId: report.sessionId, sessionKey: report.key } : {}
      return [{ ...entryOf(id, at, ran), ...session }]
    })
    if (entries.length > 0) cron.entries.set(id, entries)
  }
}
