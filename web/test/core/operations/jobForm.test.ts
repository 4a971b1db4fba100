import { assert, describe, it } from "@effect/vitest"
import { readJob } from "../../../src/core/operations/cronJobs.ts"
import {
  changedMeanwhile,
  jobForm,
  jobOf,
  jobPatch,
  keptAnyway,
  newJobForm
} from "../../../src/core/operations/jobForm.ts"
import { readSchedule } from "../../../src/core/operations/schedule.ts"
import { type ScheduleForm, scheduleForm, scheduleOf } from "../../../src/core/operations/scheduleForm.ts"

const NOW = Date.parse("2026-11-20T16:30:00Z")
const context = { zone: "Europe/Berlin", now: NOW }

const job = (fields: object = {}) => {
  const read = readJob({
    id: "j1",
    name: "Morning",
    enabled: true,
    schedule: { kind: "cron", expr: "0 9 * * 1-5", tz: "UTC" },
    sessionTarget: "isolated",
    payload: { kind: "agentTurn", message: "Report", model: "demo/swift", toolsAllow: ["*"] },
    delivery: { mode: "none" },
    ...fields
  })
  if (read === null) throw new Error("the job cannot be read")
  return read
}

describe("a schedule in plain fields", () => {
  const roundTrips = [
    { kind: "cron", expr: "0 9 * * *", tz: "UTC" },
    { kind: "cron", expr: "30 17 * * 1-5" },
    { kind: "cron", expr: "5 8 * * 0,2", tz: "Asia/Tokyo" },
    { kind: "cron", expr: "0 0 31 * *" },
    { kind: "cron", expr: "*/10 9-17 * * 1-5", tz: "UTC" },
    { kind: "cron", expr: "0 0 L * *" },
    { kind: "every", everyMs: 1_800_000, anchorMs: 588_888_784 },
    { kind: "every", everyMs: 172_800_000 },
    { kind: "at", at: "2026-12-01T08:15:00.000Z" }
  ]
  for (const schedule of roundTrips)
    it(`keeps ${JSON.stringify(schedule)}`, () => {
      const form = scheduleForm(readSchedule(schedule), context.zone, NOW)
      assert.deepStrictEqual(scheduleOf(form, context.zone, NOW), { ok: true, schedule })
    })

  it("shows which fields a cron text means", () => {
    const repeat = (expr: string) => scheduleForm(readSchedule(expr), "UTC", NOW).repeat
    assert.deepStrictEqual(
      ["0 9 * * *", "0 9 * * 1", "0 9 1 * *", "0 9 1 * 1", "0 9 * 7 *", "*/5 * * * *", "0 9,10 * * *", "bad"].map(
        repeat
      ),
      ["daily", "weekly", "monthly", "cron", "cron", "cron", "cron", "cron"]
    )
    const once = scheduleForm(readSchedule({ kind: "at", at: "2026-12-01T08:15:00Z" }), "Europe/Berlin", NOW)
    assert.deepStrictEqual([once.date, once.time], ["2026-12-01", "09:15"])
  })

  it("leaves schedules it does not know as they are", () => {
    for (const schedule of [{ kind: "surprise" }, { kind: "every", everyMs: 90_500 }]) {
      const form = scheduleForm(readSchedule(schedule), "UTC", NOW)
      assert.deepStrictEqual(scheduleOf(form, "UTC", NOW), { ok: true, schedule: undefined })
    }
  })

  it("names the field that is wrong", () => {
    const form = newJobForm(context).schedule
    const field = (change: Partial<ScheduleForm>) => {
      const result = scheduleOf({ ...form, ...change }, "UTC", NOW)
      return result.ok ? null : result.field
    }
    assert.strictEqual(field({ repeat: "every", every: "0" }), "every")
    assert.strictEqual(field({ repeat: "every", every: "1.5" }), "every")
    assert.strictEqual(field({ repeat: "daily", time: "" }), "time")
    assert.strictEqual(field({ repeat: "weekly", weekdays: [] }), "weekdays")
    assert.strictEqual(field({ repeat: "monthly", monthDay: "32" }), "monthDay")
    assert.strictEqual(field({ repeat: "once", date: "" }), "date")
    assert.strictEqual(field({ repeat: "once", date: "2026-11-20", time: "10:00" }), "date")
    assert.strictEqual(field({ repeat: "cron", cron: "61 * * * *" }), "cron")
    assert.strictEqual(field({ zone: "Nowhere/Town" }), "zone")
  })
})

describe("a job's form", () => {
  it("makes a new job in the gateway's shape", () => {
    const form = {
      ...newJobForm(context),
      name: " Tea ",
      prompt: " Time for tea ",
      model: "demo/swift",
      channel: "last"
    }
    assert.deepStrictEqual(jobOf(form, context), {
      ok: true,
      value: {
        name: "Tea",
        enabled: true,
        wakeMode: "now",
        schedule: { kind: "cron", expr: "0 9 * * *", tz: "Europe/Berlin" },
        sessionTarget: "isolated",
        payload: { kind: "agentTurn", message: "Time for tea", model: "demo/swift" },
        delivery: { mode: "announce", channel: "last" }
      }
    })
    const main = jobOf({ ...form, isMain: true }, context)
    assert.deepInclude(main.ok ? main.value : {}, {
      sessionTarget: "main",
      payload: { kind: "systemEvent", text: "Time for tea" }
    })
    assert.deepInclude(jobOf({ ...form, name: " " }, context), { ok: false, field: "name" })
    assert.deepInclude(jobOf({ ...form, prompt: "\n" }, context), { ok: false, field: "prompt" })
  })

  it("sends only what was changed, with the payload's unknown fields", () => {
    const opened = jobForm(job(), context)
    const patch = (change: object) => jobPatch({ ...opened, ...change }, opened, job(), context)
    assert.deepStrictEqual(patch({}), { ok: true, value: null })
    assert.deepStrictEqual(patch({ name: "Evening" }), { ok: true, value: { name: "Evening" } })
    assert.deepStrictEqual(patch({ model: "" }), {
      ok: true,
      value: { payload: { kind: "agentTurn", message: "Report", toolsAllow: ["*"], model: null } }
    })
    const kept = keptAnyway({ ...opened, model: "" }, job())
    assert.match(kept ?? "", /keeps the model demo\/swift/)
    assert.isNull(keptAnyway({ ...opened, model: "" }, job({ payload: { kind: "agentTurn", message: "Report" } })))
    assert.deepStrictEqual(patch({ channel: "last" }), {
      ok: true,
      value: { delivery: { mode: "announce", channel: "last" } }
    })
    assert.deepStrictEqual(patch({ schedule: { ...opened.schedule, time: "10:30" } }), {
      ok: true,
      value: { schedule: { kind: "cron", expr: "30 10 * * 1-5", tz: "UTC" } }
    })
  })

  it("reports what others changed meanwhile", () => {
    const opened = jobForm(job(), context)
    const latest = jobForm(job({ name: "Dawn", schedule: { kind: "every", everyMs: 60_000 } }), context)
    assert.deepStrictEqual(changedMeanwhile(opened, latest, context), ["Name: Dawn", "When: Every minute"])
    assert.deepStrictEqual(changedMeanwhile(opened, opened, context), [])
  })
})

describe("jobs from outside", () => {
  it("are shown however odd they are", () => {
    const odd = job({ name: 7, schedule: ["x"], payload: null, delivery: "x", state: 4, enabled: "yes" })
    assert.deepInclude(odd, { name: "j1", prompt: "", channel: null, enabled: true, lastStatus: null })
    assert.deepStrictEqual(odd.schedule, { kind: "other", name: "unknown" })
    assert.isNull(readJob({ name: "no id" }))
    assert.isNull(readJob("text"))
  })
})
