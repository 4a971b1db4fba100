import { Effect, Schema } from "effect"
import {
  CronDelivery,
  type CronJob,
  CronPayload,
  CronSessionTarget,
  CronWakeMode,
  cronFields,
  jobView
} from "../cron/CronJobs.ts"
import { CronScheduleParams, expressionFault, momentFault, neverRunsFault } from "../cron/cronSchedule.ts"
import type { Gateway } from "../Gateway.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { type Call, type GatewayMethod, method, NoParams } from "./method.ts"

const AddParams = Schema.Struct({
  ...cronFields,
  schedule: CronScheduleParams,
  sessionTarget: CronSessionTarget,
  wakeMode: Schema.optionalKey(CronWakeMode),
  payload: CronPayload
})

const PatchPayload = Schema.Struct({
  ...CronPayload.fields,
  model: Schema.optionalKey(Schema.NullOr(Schema.String)),
  thinking: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Patch = Schema.Struct({
  ...cronFields,
  schedule: Schema.optionalKey(CronScheduleParams),
  sessionTarget: Schema.optionalKey(CronSessionTarget),
  wakeMode: Schema.optionalKey(CronWakeMode),
  payload: Schema.optionalKey(PatchPayload),
  delivery: Schema.optionalKey(CronDelivery)
})

/** Omitted fields stay; null clears one, unless jobs are lax. */
const mergePayload = (
  gateway: Gateway,
  known: CronJob["payload"],
  patch: typeof PatchPayload.Type
): CronJob["payload"] => {
  const { model, thinking, ...fields } = patch
  const {
    model: knownModel,
    thinking: knownThinking,
    ...rest
  } = known.kind === patch.kind ? known : { kind: patch.kind }
  const merged = (next: string | null | undefined, before: string | undefined) =>
    next === undefined || (next === null && gateway.generation.hasLaxJobs) ? before : (next ?? undefined)
  const nextModel = merged(model, knownModel)
  const nextThinking = merged(thinking, knownThinking)
  return {
    ...rest,
    ...fields,
    ...(nextModel === undefined ? {} : { model: nextModel }),
    ...(nextThinking === undefined ? {} : { thinking: nextThinking })
  }
}

const whole = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
const text = Schema.optionalKey(Schema.String)

const failed = (message: string) => new GatewayRefusal({ code: "UNAVAILABLE", message })

/** A lax gateway checks an expression when it needs its next time, so a disabled job's isn't checked. */
const expressionRefusal = (gateway: Gateway, method: string, job: Pick<CronJob, "schedule" | "enabled">) => {
  const fault = expressionFault(job.schedule)
  if (fault === undefined) {
    const never = neverRunsFault(job.schedule, gateway.now())
    return never === undefined ? undefined : invalidRequest(`invalid ${method} params: ${never}`)
  }
  if (!gateway.generation.hasLaxJobs) return invalidRequest(`invalid ${method} params: ${fault}`)
  return job.enabled ? failed(`TypeError: ${fault}`) : undefined
}

const payloadRefusal = (method: string, { sessionTarget, payload }: Pick<CronJob, "sessionTarget" | "payload">) => {
  const isMain = sessionTarget === "main"
  if (payload.kind === (isMain ? "systemEvent" : "agentTurn")) return undefined
  const isolated = 'isolated cron jobs require payload.kind="agentTurn", "command", or "script"'
  if (!isMain && method === "cron.add") return failed(`Error: ${isolated}`)
  const fault = isMain ? 'main cron jobs require payload.kind="systemEvent" or "script"' : isolated
  return invalidRequest(`invalid ${method} params: ${fault}`)
}

const jobFault = (gateway: Gateway, method: string, job: CronJob): GatewayRefusal | undefined => {
  if (job.schedule.kind === "every" && job.schedule.everyMs === undefined)
    return invalidRequest(`invalid ${method} params: at /schedule: must have required property 'everyMs'`)
  const moment = momentFault(job.schedule, gateway.now())
  if (moment !== undefined) return invalidRequest(moment)
  const channel = job.delivery?.channel
  const isUnknown = !gateway.generation.hasLaxJobs && channel !== undefined && channel !== "last"
  return (
    expressionRefusal(gateway, method, job) ??
    payloadRefusal(method, job) ??
    (isUnknown
      ? invalidRequest(`invalid ${method} params: delivery.channel is not a known channel: ${channel}`)
      : undefined)
  )
}

const unknownJob = (id: string) =>
  invalidRequest(`Automation not found: ${id}. List automations and retry with a current job id.`, {
    code: "CRON_JOB_NOT_FOUND",
    jobId: id
  })

const nameOf = (params: { readonly name?: string; readonly payload: typeof CronPayload.Type }) =>
  params.name ?? (params.payload.message ?? params.payload.text ?? "Job").slice(0, 60)

const addJob = (params: typeof AddParams.Type, { gateway }: Call) =>
  Effect.suspend(() => {
    const now = gateway.now()
    const isolated = params.sessionTarget === "isolated"
    const job: CronJob = {
      id: gateway.newId(),
      name: nameOf(params),
      description: params.description,
      ...(params.agentId === undefined ? {} : { agentId: params.agentId }),
      enabled: params.enabled ?? true,
      deleteAfterRun: params.deleteAfterRun,
      schedule: params.schedule,
      sessionTarget: params.sessionTarget,
      wakeMode: params.wakeMode ?? "now",
      payload: params.payload,
      delivery: params.delivery ?? (isolated ? { mode: "announce" } : undefined),
      createdAtMs: now,
      updatedAtMs: now,
      state: {}
    }
    const fault = jobFault(gateway, "cron.add", job)
    return fault === undefined ? Effect.succeed(jobView(gateway.cron.save(job, "added"))) : Effect.fail(fault)
  })

const updateJob = (id: string, patch: typeof Patch.Type, { gateway }: Call) =>
  Effect.suspend(() => {
    const known = gateway.cron.jobs.get(id)
    if (known === undefined) return Effect.fail(unknownJob(id))
    const { payload, delivery, ...fields } = patch
    const job: CronJob = {
      ...known,
      ...fields,
      ...(payload === undefined ? {} : { payload: mergePayload(gateway, known.payload, payload) }),
      ...(delivery === undefined ? {} : { delivery: { ...known.delivery, ...delivery } }),
      updatedAtMs: gateway.now()
    }
    const fault = jobFault(gateway, "cron.update", job)
    return fault === undefined ? Effect.succeed(jobView(gateway.cron.save(job, "updated"))) : Effect.fail(fault)
  })

const page = <A>(items: ReadonlyArray<A>, offset: number, limit: number) => {
  const shown = items.slice(offset, offset + limit)
  const hasMore = offset + shown.length < items.length
  return {
    shown,
    rest: { total: items.length, offset, limit, hasMore, nextOffset: hasMore ? offset + shown.length : null }
  }
}

const IdParams = Schema.Struct({ id: text, jobId: text })

/** `cron.*`. */
export const cronMethods: ReadonlyArray<GatewayMethod> = [
  method("cron.status", "operator.read", NoParams, (_, { gateway }) =>
    Effect.sync(() => ({
      enabled: true,
      storePath: "cron/jobs.json",
      jobs: gateway.cron.jobs.size,
      nextWakeAtMs: gateway.cron.nextWakeAt() ?? null
    }))
  ),
  method(
    "cron.list",
    "operator.read",
    Schema.Struct({ includeDisabled: Schema.optionalKey(Schema.Boolean), limit: whole, offset: whole, query: text }),
    (params, { gateway }) =>
      Effect.sync(() => {
        const query = params.query?.toLowerCase() ?? ""
        const jobs = [...gateway.cron.jobs.values()].filter(
          (job) => (params.includeDisabled === true || job.enabled) && job.name.toLowerCase().includes(query)
        )
        const { shown, rest } = page(jobs, params.offset ?? 0, params.limit ?? 50)
        return { jobs: shown.map((job) => jobView(job)), ...rest }
      })
  ),
  method("cron.add", "operator.admin", AddParams, addJob),
  method("cron.update", "operator.admin", Schema.Struct({ id: text, jobId: text, patch: Patch }), (params, call) =>
    updateJob(params.id ?? params.jobId ?? "", params.patch, call)
  ),
  method("cron.remove", "operator.admin", IdParams, (params, { gateway }) =>
    Effect.suspend(() => {
      const id = params.id ?? params.jobId ?? ""
      const removed = gateway.cron.remove(id)
      return removed || gateway.generation.hasLaxJobs
        ? Effect.succeed({ ok: true, removed })
        : Effect.fail(unknownJob(id))
    })
  ),
  method(
    "cron.run",
    "operator.admin",
    Schema.Struct({ id: text, jobId: text, mode: Schema.optionalKey(Schema.Literals(["force", "due"])) }),
    (params, { gateway }) =>
      Effect.suspend(() => {
        const id = params.id ?? params.jobId ?? ""
        const job = gateway.cron.jobs.get(id)
        if (job === undefined) return Effect.fail(unknownJob(id))
        const due = job.state.nextRunAtMs !== undefined && job.state.nextRunAtMs <= gateway.now()
        const idle =
          job.state.runningAtMs !== undefined ? "already-running" : params.mode === "due" && !due && "not-due"
        return Effect.succeed(
          idle === false
            ? { ok: true, enqueued: true, runId: gateway.cron.runNow(job) }
            : { ok: true, ran: false, reason: idle }
        )
      })
  ),
  method(
    "cron.runs",
    "operator.read",
    Schema.Struct({ id: text, jobId: text, limit: whole, offset: whole }),
    (params, { gateway }) =>
      Effect.sync(() => {
        const entries = gateway.cron.entries.get(params.id ?? params.jobId ?? "") ?? []
        const { shown, rest } = page(entries, params.offset ?? 0, params.limit ?? 50)
        return { entries: shown, ...rest }
      })
  )
]
