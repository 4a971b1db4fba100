import { wallTime } from "../common/dateText.ts"
import { say } from "../language/say.ts"
import { readCron } from "./cronExpression.ts"
import type { CronSchedule } from "./schedule.ts"
import { momentOf } from "./zones.ts"

export type Repeat = "every" | "daily" | "weekly" | "monthly" | "once" | "cron" | "other"
export type IntervalUnit = "minutes" | "hours" | "days"

/** A schedule in plain form fields: what is typed is kept as text, whichever repeat is chosen. */
export interface ScheduleForm {
  readonly repeat: Repeat
  readonly every: string
  readonly unit: IntervalUnit
  /** `HH:MM` */
  readonly time: string
  /** From Sunday = 0. */
  readonly weekdays: ReadonlyArray<number>
  readonly monthDay: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly cron: string
  /** IANA name; empty for the gateway's zone. */
  readonly zone: string
  /** Where an interval starts, kept from the schedule that was read. */
  readonly anchorMs: number | null
}

export type ScheduleField = "every" | "time" | "weekdays" | "monthDay" | "date" | "cron" | "zone"

/**
 * A schedule for the gateway, or which field is wrong and why. `undefined` leaves a schedule of unknown kind as it
 * is.
 */
export type ScheduleResult =
  | { readonly ok: true; readonly schedule: object | undefined }
  | { readonly ok: false; readonly field: ScheduleField; readonly message: string }

const UNITS: Readonly<Record<IntervalUnit, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }
const DAY = 86_400_000
const TIME = /^([01]\d|2[0-3]):([0-5]\d)/

const two = (value: number) => String(value).padStart(2, "0")

const blank = (zone: string, now: number): ScheduleForm => ({
  repeat: "daily",
  every: "30",
  unit: "minutes",
  time: "09:00",
  weekdays: [1, 2, 3, 4, 5],
  monthDay: "1",
  date: (wallTime(now + DAY, zone) ?? new Date(now + DAY).toISOString()).slice(0, 10),
  cron: "0 9 * * *",
  zone,
  anchorMs: null
})

/** The form of a new job. */
export const newScheduleForm = blank

const plainNumber = (text: string, max: number): number | null =>
  /^\d{1,2}$/.test(text) && Number(text) <= max ? Number(text) : null

/** The plain fields of a five-part cron expression for one time of day; null for any other. */
const plainCron = (expression: string): Partial<ScheduleForm> | null => {
  const parts = expression.trim().split(/\s+/)
  const [minute = "", hour = "", day, month, weekday = "*"] = parts
  const at = { minute: plainNumber(minute, 59), hour: plainNumber(hour, 23) }
  if (parts.length !== 5 || at.minute === null || at.hour === null || month !== "*") return null
  const time = `${two(at.hour)}:${two(at.minute)}`
  if (day === "*" && weekday === "*") return { repeat: "daily", time }
  if (weekday === "*") {
    const monthDay = plainNumber(day ?? "", 31)
    return monthDay === null || monthDay === 0 ? null : { repeat: "monthly", time, monthDay: String(monthDay) }
  }
  const reading = readCron(expression)
  return day === "*" && reading.kind === "fields" ? { repeat: "weekly", time, weekdays: reading.fields.weekdays } : null
}

const interval = (everyMs: number): Partial<ScheduleForm> | null => {
  for (const unit of ["days", "hours", "minutes"] as const) {
    if (everyMs % UNITS[unit] === 0) return { repeat: "every", unit, every: String(everyMs / UNITS[unit]) }
  }
  return null
}

/** A schedule's form values; `zone` is the gateway's, for schedules that name none. */
export const scheduleForm = (schedule: CronSchedule, zone: string, now: number): ScheduleForm => {
  const form = blank(zone, now)
  switch (schedule.kind) {
    case "cron":
      return {
        ...form,
        repeat: "cron",
        ...plainCron(schedule.expression),
        cron: schedule.expression,
        zone: schedule.zone ?? ""
      }
    case "every": {
      const fields = interval(schedule.everyMs)
      return fields === null ? { ...form, repeat: "other" } : { ...form, ...fields, anchorMs: schedule.anchorMs }
    }
    case "at": {
      if (schedule.at === null) return { ...form, repeat: "once" }
      const shown = wallTime(schedule.at, zone) ?? new Date(schedule.at).toISOString()
      return { ...form, repeat: "once", date: shown.slice(0, 10), time: shown.slice(11, 16) }
    }
    case "other":
      return { ...form, repeat: "other" }
  }
}

const wrong = (field: ScheduleField, message: string): ScheduleResult => ({ ok: false, field, message })

const weekdayList = (weekdays: ReadonlyArray<number>): string => {
  const sorted = [...new Set(weekdays)].sort((a, b) => a - b)
  return sorted.join() === "1,2,3,4,5" ? "1-5" : sorted.join(",")
}

/** The schedule in a form, in the gateway's format; `ownZone` applies if the form names no zone. */
export const scheduleOf = (form: ScheduleForm, ownZone: string, now: number): ScheduleResult => {
  const zone = form.zone === "" ? ownZone : form.zone
  if (wallTime(now, zone) === null)
    return wrong("zone", say("“{zone}” isn't a time zone. Use a name like Europe/Berlin.", { zone: form.zone }))
  const cron = (expr: string): ScheduleResult => ({
    ok: true,
    schedule: { kind: "cron", expr, ...(form.zone === "" ? {} : { tz: form.zone }) }
  })
  if (form.repeat === "other") return { ok: true, schedule: undefined }
  if (form.repeat === "every") {
    const count = Number(form.every)
    if (!/^\d{1,5}$/.test(form.every.trim()) || count < 1)
      return wrong("every", say("Enter a whole number, 1 or more."))
    const anchor = form.anchorMs === null ? {} : { anchorMs: form.anchorMs }
    return { ok: true, schedule: { kind: "every", everyMs: count * UNITS[form.unit], ...anchor } }
  }
  if (form.repeat === "cron") {
    const reading = readCron(form.cron)
    return reading.kind === "invalid" ? wrong("cron", reading.problem) : cron(form.cron.trim())
  }
  const [, hour = "", minute = ""] = TIME.exec(form.time) ?? []
  if (hour === "") return wrong("time", say("Choose a time of day."))
  const time = `${Number(minute)} ${Number(hour)}`
  if (form.repeat === "daily") return cron(`${time} * * *`)
  if (form.repeat === "weekly")
    return form.weekdays.length === 0
      ? wrong("weekdays", say("Choose at least one day."))
      : cron(`${time} * * ${form.weekdays.length === 7 ? "*" : weekdayList(form.weekdays)}`)
  if (form.repeat === "monthly") {
    const day = plainNumber(form.monthDay.trim(), 31)
    return day === null || day === 0 ? wrong("monthDay", say("Enter a day from 1 to 31.")) : cron(`${time} ${day} * *`)
  }
  const wall = `${form.date}T${hour}:${minute}:00`
  if (Number.isNaN(Date.parse(wall))) return wrong("date", say("Choose a date."))
  const at = momentOf(wall, zone)
  return at === null || at <= now
    ? wrong("date", say("That time has passed. Choose a later one."))
    : { ok: true, schedule: { kind: "at", at: new Date(at).toISOString() } }
}
