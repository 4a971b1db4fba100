import { assert, describe, it } from "@effect/vitest"
import {
  gatewayJob,
  gatewayPatch,
  isJobId,
  isQueuedRun,
  shownJob
} from "../../../../src/services/gateway/crons/cronRules.ts"

const simple = { schedule: " 0 9 * * * ", prompt: "say good morning\nand more" }

describe("gatewayJob", () => {
  it("fills in what the simple form leaves open", () => {
    assert.deepStrictEqual(gatewayJob(simple), {
      name: "say good morning",
      schedule: { kind: "cron", expr: "0 9 * * *" },
      sessionTarget: "isolated",
      wakeMode: "now",
      payload: { kind: "agentTurn", message: simple.prompt },
      delivery: { mode: "none" }
    })
    assert.deepInclude(gatewayJob({ ...simple, channel: "last" }), { delivery: { mode: "announce", channel: "last" } })
    assert.deepInclude(gatewayJob({ ...simple, channel: "" }), { delivery: { mode: "none" } })
  })

  it("keeps every field that is given, known or not", () => {
    const job = gatewayJob({
      ...simple,
      name: "Mine",
      wakeMode: "next-heartbeat",
      payload: { model: "a/b" },
      delivery: { mode: "announce", to: "x" },
      somethingNew: { deep: [1] }
    })
    assert.deepInclude(job, {
      name: "Mine",
      wakeMode: "next-heartbeat",
      payload: { model: "a/b", kind: "agentTurn", message: simple.prompt },
      delivery: { mode: "announce", to: "x" },
      somethingNew: { deep: [1] }
    })
  })

  it("leaves the gateway's own form as it is", () => {
    const own = {
      name: "Own",
      schedule: { kind: "every", everyMs: 5 },
      sessionTarget: "main",
      payload: { kind: "systemEvent", text: "x" }
    }
    assert.deepStrictEqual(gatewayJob(own), own)
  })

  it("writes a note for the main session, and shortens long names", () => {
    const job = gatewayJob({ schedule: "0 9 * * *", prompt: "x".repeat(100), sessionTarget: "main" })
    assert.deepInclude(job, { payload: { kind: "systemEvent", text: "x".repeat(100) } })
    assert.notProperty(job, "delivery")
    assert.strictEqual(job.name, `${"x".repeat(59)}…`)
  })
})

describe("gatewayPatch", () => {
  it("translates the simple fields and passes the rest", () => {
    assert.deepStrictEqual(
      gatewayPatch({ schedule: "@daily", prompt: "p", channel: null, enabled: false, x: 1 }, false),
      {
        schedule: { kind: "cron", expr: "@daily" },
        payload: { kind: "agentTurn", message: "p" },
        delivery: { mode: "none" },
        enabled: false,
        x: 1
      }
    )
    assert.deepStrictEqual(gatewayPatch({ prompt: "p" }, true), { payload: { kind: "systemEvent", text: "p" } })
    assert.deepStrictEqual(gatewayPatch({ enabled: true }, false), { enabled: true })
  })
})

describe("shownJob", () => {
  it("reads the simple form back, and only what there is of it", () => {
    const job = { id: "1", ...gatewayJob({ ...simple, channel: "last" }) }
    assert.deepStrictEqual(shownJob(job), {
      ...job,
      expression: "0 9 * * *",
      prompt: simple.prompt,
      channel: "last"
    })
    const odd = { id: "2", schedule: { kind: "new" }, payload: null, delivery: { mode: "none", channel: "last" } }
    assert.deepStrictEqual(shownJob(odd), odd)
  })
})

describe("isJobId", () => {
  it("accepts ids and nothing that could be a path", () => {
    for (const id of ["46b83795-f6ef-4eb2-ab85-2d578cd8d40e", "heartbeat:main", "a.b", "näme", "__proto__"]) {
      assert.isTrue(isJobId(id), id)
    }
    for (const id of ["", ".", "..", "../x", "a/b", "a\\b", "a\0b", "a\nb", "x".repeat(201)])
      assert.isFalse(isJobId(id))
  })
})

describe("isQueuedRun", () => {
  const queued = { runId: "manual:j:1795172480631:1" }

  it("goes by the run's id where there is one", () => {
    assert.isTrue(isQueuedRun(queued, { jobId: "j", runId: queued.runId, runAtMs: 1 }))
    assert.isFalse(isQueuedRun(queued, { jobId: "j", runId: "other", runAtMs: 1_795_172_480_631 }))
  })

  it("goes by the time elsewhere", () => {
    assert.isTrue(isQueuedRun(queued, { jobId: "j", runAtMs: 1_795_172_480_631 }))
    assert.isFalse(isQueuedRun(queued, { jobId: "j", runAtMs: 1_795_172_480_630 }))
    assert.isFalse(isQueuedRun(queued, { jobId: "j" }))
    assert.isFalse(isQueuedRun({}, { jobId: "j", runAtMs: 1 }))
  })
})
