import { DateTime } from "effect"
import type { CronJob } from "../cron/CronJobs.ts"
import type { Gateway } from "../Gateway.ts"
import type { Session } from "../sessions/SessionStore.ts"
import type { JsonObject } from "../wire/frames.ts"

/** The job whose last run is among the demo's sessions. */
export const REPORT_JOB_ID = "5f0c7c1e-3d0b-4f4e-9d0e-6f5b8a3f2c11"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Seed = Pick<CronJob, "id" | "name" | "schedule"> & Partial<CronJob>

const turn = (message: string, model?: string): CronJob["payload"] => ({
  kind: "agentTurn",
  message,
  ...(model === undefined ? {} : { model })
})

const fill = (seed: Seed, now: number): CronJob => ({
  description: undefined,
  enabled: true,
  deleteAfterRun: undefined,
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: turn(seed.name),
  delivery: { mode: "none" },
  createdAtMs: now - 40 * DAY_MS,
  updatedAtMs: now - 2 * DAY_MS,
  state: {},
  ...seed
})

const ended = (at: number, durationMs: number, status: "ok" | "error", error?: string): CronJob["state"] => ({
  lastRunAtMs: at,
  lastRunStatus: status,
  lastStatus: status,
  lastDurationMs: durationMs,
  consecutiveErrors: status === "ok" ? 0 : 2,
  ...(error === undefined ? {} : { lastError: error })
})

const entry = (jobId: string, at: number, durationMs: number, fields: JsonObject): JsonObject => ({
  ts: at + durationMs,
  jobId,
  action: "finished",
  status: "ok",
  completionStatus: fields.status === "error" ? "failed" : "succeeded",
  delivered: false,
  deliveryStatus: "not-requested",
  runAtMs: at,
  durationMs,
  model: "companion",
  provider: "demo",
  usage: { input_tokens: 1_480, output_tokens: 96, total_tokens: 1_576 },
  ...fields
})

const TIMED_OUT = "The mail server did not answer within 30 s."

/** Gives a new gateway jobs of every kind: due, failing, one-off, disabled, and one of the gateway's own. */
export const seedJobs = ({ cron, now: clock }: Pick<Gateway, "cron" | "now">, report: Session): void => {
  const now = clock()
  const seeds: ReadonlyArray<Seed> = [
    {
      id: REPORT_JOB_ID,
      name: "Morning report",
      description: "A short report every working day.",
      schedule: { kind: "cron", expr: "0 9 * * 1-5", tz: "UTC" },
      payload: turn("Give me a short morning report."),
      updatedAtMs: now - 5 * HOUR_MS,
      state: ended(now - 5 * HOUR_MS, 4_000, "ok")
    },
    {
      id: "a9d1b1f6-52c4-4c6e-9a35-7f5f3f7f0d02",
      name: "Look through the inbox",
      description: "Sorts new mail and says what cannot wait.",
      schedule: { kind: "every", everyMs: 30 * MINUTE_MS, anchorMs: now - 12 * MINUTE_MS },
      payload: turn("Look through the inbox and tell me what cannot wait.", "demo/swift"),
      state: ended(now - 12 * MINUTE_MS, 31_000, "error", TIMED_OUT)
    },
    {
      id: "0c3c8d4e-6c43-4a53-8d0c-3f1a8f6b9e03",
      name: "Weekly review",
      schedule: { kind: "cron", expr: "30 16 * * 5", tz: "Europe/Berlin" },
      payload: turn("Review the week: what was done, what is stuck, what comes next.", "demo/scholar"),
      delivery: { mode: "announce", channel: "last" },
      state: ended(now - 6 * DAY_MS, 48_200, "ok")
    },
    {
      id: "7b1f0b52-98e0-4b1a-8f0e-2a4f1f3c7d04",
      name: "Renew the certificate",
      schedule: { kind: "at", at: DateTime.formatIso(DateTime.makeUnsafe(now + 12 * DAY_MS)) },
      sessionTarget: "main",
      payload: { kind: "systemEvent", text: "Remind me that the certificate ends in two weeks." }
    },
    {
      id: "e2a5c1d0-1a58-4e5e-b1f7-9c8d7e6f5a05",
      name: "Tidy the notes",
      enabled: false,
      schedule: { kind: "cron", expr: "0 3 1 * *", tz: "UTC" },
      payload: turn("Merge notes that say the same.")
    },
    {
      id: "d7963e1c-02d7-4abc-8941-edc27a22f033",
      declarationKey: "memory-core:memory-dreaming-promotion",
      name: "Memory Dreaming Promotion",
      description: "Keeps what was often remembered.",
      schedule: { kind: "cron", expr: "0 3 * * *" },
      payload: { ...turn("Promote what was often remembered."), lightContext: true }
    }
  ]
  for (const seed of seeds) cron.save(fill(seed, now), "added")
  cron.entries.set(REPORT_JOB_ID, [
    entry(REPORT_JOB_ID, now - 5 * HOUR_MS, 4_000, {
      summary: "Good morning! Two cards are waiting on the board, nothing is overdue, and the weather is fine.",
      sessionId: report.sessionId,
      sessionKey: report.key
    }),
    entry(REPORT_JOB_ID, now - 29 * HOUR_MS, 5_200, {
      summary: "Good morning! One card is in review. The build of last night is green."
    }),
    entry(REPORT_JOB_ID, now - 53 * HOUR_MS, 61_000, {
      status: "error",
      error: "The model did not answer in time."
    }),
    entry(REPORT_JOB_ID, now - 77 * HOUR_MS, 3_900, { summary: "Good morning! A quiet day: the calendar is empty." })
  ])
  const inbox = seeds[1]?.id ?? ""
  cron.entries.set(
    inbox,
    [12, 42].map((ago) =>
      entry(inbox, now - ago * MINUTE_MS, 31_000, { status: "error", error: TIMED_OUT, model: "swift" })
    )
  )
}
