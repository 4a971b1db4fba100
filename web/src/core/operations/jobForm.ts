import { pageLocale, say } from "../language/say.ts"

import { thinkingText } from "../sessions/sessionChoices.ts"
import type { CronJob } from "./cronJobs.ts"
import { readSchedule } from "./schedule.ts"
import { newScheduleForm, type ScheduleField, type ScheduleForm, scheduleForm, scheduleOf } from "./scheduleForm.ts"
import { scheduleWords } from "./scheduleWords.ts"

/** Everything about a job that can be edited, as form values. */
export interface JobForm {
  readonly name: string
  readonly prompt: string
  /** Empty for the gateway's default agent. */
  readonly agentId: string
  /** Only chosen for a new job: it runs in the main session. */
  readonly isMain: boolean
  /** Empty: nowhere; `last`: the last used channel; otherwise a channel of the gateway. */
  readonly channel: string
  /** `provider/id`; empty for the agent's default. */
  readonly model: string
  /** Empty for the model's default. */
  readonly thinking: string
  readonly schedule: ScheduleForm
}

export type JobField = "name" | "prompt" | ScheduleField

export type JobResult<A> =
  | { readonly ok: true; readonly value: A }
  | { readonly ok: false; readonly field: JobField; readonly message: string }

/** The zone and time a form is read with. */
export interface FormContext {
  /** The gateway's time zone. */
  readonly zone: string
  readonly now: number
}

export const newJobForm = ({ zone, now }: FormContext): JobForm => ({
  name: "",
  prompt: "",
  agentId: "",
  isMain: false,
  channel: "",
  model: "",
  thinking: "",
  schedule: newScheduleForm(zone, now)
})

export const jobForm = (job: CronJob, { zone, now }: FormContext): JobForm => ({
  name: job.name,
  prompt: job.prompt,
  agentId: job.agentId ?? "",
  isMain: job.isMain,
  channel: job.channel ?? "",
  model: job.model ?? "",
  thinking: job.thinking ?? "",
  schedule: scheduleForm(job.schedule, zone, now)
})

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const fault = (form: JobForm): JobResult<never> | null => {
  if (form.name.trim() === "") return { ok: false, field: "name", message: say("Give the job a name.") }
  return form.prompt.trim() === ""
    ? { ok: false, field: "prompt", message: say("Write what the agent should do.") }
    : null
}

const delivery = (channel: string) =>
  channel.trim() === "" ? { mode: "none" } : { mode: "announce", channel: channel.trim() }

const options = (form: JobForm) => ({
  ...(form.model === "" ? {} : { model: form.model }),
  ...(form.thinking === "" ? {} : { thinking: form.thinking })
})

/** Gateways merge a payload into the old one: removing a value requires an explicit null. */
const takenBack = (form: JobForm, opened: JobForm) => ({
  ...(form.model === "" && opened.model !== "" ? { model: null } : {}),
  ...(form.thinking === "" && opened.thinking !== "" ? { thinking: null } : {})
})

/** The new job in a form, in the gateway's format. */
export const jobOf = (form: JobForm, { zone, now }: FormContext): JobResult<object> => {
  const schedule = scheduleOf(form.schedule, zone, now)
  const bad = fault(form)
  if (bad !== null) return bad
  if (!schedule.ok) return schedule
  const prompt = form.prompt.trim()
  const agent = form.agentId === "" ? {} : { agentId: form.agentId }
  const shared = { name: form.name.trim(), ...agent, schedule: schedule.schedule, wakeMode: "now", enabled: true }
  const once = form.schedule.repeat === "once" ? { deleteAfterRun: false } : {}
  return {
    ok: true,
    value: form.isMain
      ? { ...shared, ...once, sessionTarget: "main", payload: { kind: "systemEvent", text: prompt } }
      : {
          ...shared,
          ...once,
          sessionTarget: "isolated",
          payload: { kind: "agentTurn", message: prompt, ...options(form) },
          delivery: delivery(form.channel)
        }
  }
}

/**
 * A form's changes to the job it was opened with, in the gateway's format; null if there are none. Untouched fields
 * are left out, so that others' changes in the meantime stay.
 */
export const jobPatch = (
  form: JobForm,
  opened: JobForm,
  job: CronJob,
  { zone, now }: FormContext
): JobResult<object | null> => {
  const bad = fault(form)
  if (bad !== null) return bad
  const patch: Record<string, unknown> = {}
  if (form.name.trim() !== opened.name) patch.name = form.name.trim()
  if (form.agentId !== opened.agentId) patch.agentId = form.agentId
  if (!same(form.schedule, opened.schedule)) {
    const schedule = scheduleOf(form.schedule, zone, now)
    if (!schedule.ok) return schedule
    if (schedule.schedule !== undefined) patch.schedule = schedule.schedule
  }
  if (form.prompt !== opened.prompt || form.model !== opened.model || form.thinking !== opened.thinking) {
    const { model: _, thinking: __, ...kept } = job.payload
    const prompt = form.prompt.trim()
    patch.payload = job.isMain
      ? { ...kept, kind: "systemEvent", text: prompt }
      : { ...kept, kind: "agentTurn", message: prompt, ...options(form), ...takenBack(form, opened) }
  }
  if (form.channel.trim() !== opened.channel) patch.delivery = delivery(form.channel)
  return { ok: true, value: Object.keys(patch).length === 0 ? null : patch }
}

/** What a gateway kept although the form removed it, in a sentence; null if it did as requested. */
export const keptAnyway = (form: JobForm, saved: CronJob): string | null => {
  const kept = [
    ...(form.model === "" && saved.model !== null ? [say("the model {model}", { model: saved.model })] : []),
    ...(form.thinking === "" && saved.thinking !== null
      ? [say("the thinking level {level}", { level: thinkingText(saved.thinking) })]
      : [])
  ]
  if (form.isMain || kept.length === 0) return null
  return say("Saved, but this gateway keeps {kept}. Choose another, or create the job again.", {
    kept: new Intl.ListFormat(pageLocale).format(kept)
  })
}

/** What someone else changed while a form was open, one line each. */
export const changedMeanwhile = (opened: JobForm, latest: JobForm, context: FormContext): ReadonlyArray<string> => {
  const words = (form: JobForm) => {
    const result = scheduleOf(form.schedule, context.zone, 0)
    return result.ok && result.schedule !== undefined
      ? scheduleWords(readSchedule(result.schedule), context.zone)
      : say("another schedule")
  }
  const lines: Array<string> = []
  if (opened.name !== latest.name) lines.push(say("Name: {name}", { name: latest.name }))
  if (opened.agentId !== latest.agentId) lines.push(say("Agent: {name}", { name: latest.agentId }))
  if (opened.prompt !== latest.prompt) lines.push(say("What the agent does: {prompt}", { prompt: latest.prompt }))
  if (!same(opened.schedule, latest.schedule)) lines.push(say("When: {schedule}", { schedule: words(latest) }))
  if (opened.model !== latest.model) lines.push(say("Model: {model}", { model: latest.model || say("agent default") }))
  if (opened.thinking !== latest.thinking)
    lines.push(
      say("Thinking: {level}", { level: latest.thinking === "" ? say("model default") : thinkingText(latest.thinking) })
    )
  if (opened.channel !== latest.channel)
    lines.push(say("Send response to: {channel}", { channel: latest.channel || say("nowhere else") }))
  return lines
}
