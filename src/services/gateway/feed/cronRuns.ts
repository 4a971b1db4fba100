import { Option, Schema } from "effect"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const CronEnd = Schema.Struct({
  jobId: Schema.NonEmptyString,
  action: Text,
  status: Text,
  error: Text,
  summary: Text,
  sessionKey: Text,
  runAtMs: Schema.Finite,
  durationMs: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  job: Schema.optionalKey(Schema.NullOr(Schema.Struct({ name: Text })))
})

/** A run of a scheduled job that has ended. */
export interface CronRunEnd {
  /** The same in the event and in the job's history. */
  readonly id: string
  readonly jobId: string
  /** The job's name; older gateways don't say it in events. */
  readonly name: string | undefined
  /** `ok`, `error` or `skipped`. */
  readonly status: string
  readonly error: string | undefined
  readonly summary: string | undefined
  readonly sessionKey: string | undefined
  /** When it ended, by the gateway's clock. */
  readonly at: number
}

const decode = Schema.decodeUnknownOption(CronEnd)

/** The end of a run, from an event or an entry of the job's history; `undefined` for anything else. */
export const readCronEnd = (payload: unknown, name?: string): CronRunEnd | undefined => {
  const end = Option.getOrUndefined(decode(payload))
  if (end === undefined || end.action !== "finished") return undefined
  return {
    id: `${end.jobId}@${end.runAtMs}`,
    jobId: end.jobId,
    name: end.job?.name ?? name,
    status: end.status ?? "ok",
    error: end.error ?? undefined,
    summary: end.summary ?? undefined,
    sessionKey: end.sessionKey ?? undefined,
    at: end.runAtMs + (end.durationMs ?? 0)
  }
}

/** The jobs as far as their last runs are concerned. */
export const CronJobList = Schema.Struct({
  jobs: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Text,
      state: Schema.optionalKey(
        Schema.Struct({
          lastRunAtMs: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
          lastDurationMs: Schema.optionalKey(Schema.NullOr(Schema.Finite))
        })
      )
    })
  )
})

export const CronEntries = Schema.Struct({ entries: Schema.Array(Schema.Unknown) })
