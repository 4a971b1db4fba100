import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { Client } from "../../../src/core/client/Client.ts"
import { createClient } from "../../../src/core/client/createClient.ts"
import { type CronsStore, createCronsStore } from "../../../src/core/operations/CronsStore.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })
const job = (id: string, fields: object = {}) => ({
  id,
  name: id,
  enabled: true,
  schedule: { kind: "every", everyMs: 60_000 },
  payload: { kind: "agentTurn", message: "x" },
  state: {},
  ...fields
})

let gateway: FakeGateway
let client: Client
let store: CronsStore
let jobs: Array<object>
let calls: Array<string>
let answers: Record<string, () => Response>

const settle = (ms = 20) => vi.advanceTimersByTimeAsync(ms)
const shown = () => store.jobs.state.get().value ?? []

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  gateway = new FakeGateway()
  jobs = [job("a"), job("b", { enabled: false })]
  calls = []
  answers = {
    "GET /api/auth/status": () => json({ authEnabled: false, authenticated: true }),
    "GET /api/server-info": () => json({ serverTime: 1, timezone: "Asia/Tokyo", agentName: "Ada" }),
    "GET /api/crons": () => json({ ok: true, result: { jobs } })
  }
  gateway.fetch = async (url, init) => {
    const call = `${init.method} ${new URL(url).pathname}`
    calls.push(init.body === undefined ? call : `${call} ${init.body}`)
    return (answers[call] ?? (() => json({ ok: true })))()
  }
  client = createClient(gateway.env)
  await client.start()
  store = createCronsStore(client)
  store.jobs.open()
  await settle()
})
afterEach(() => {
  client.dispose()
  vi.useRealTimers()
})

const lists = () => calls.filter((call) => call === "GET /api/crons").length

describe("the list of jobs", () => {
  it("comes with the server's zone, what is on first", () => {
    assert.deepStrictEqual(
      shown().map(({ id }) => id),
      ["a", "b"]
    )
    assert.strictEqual(store.zone.get(), "Asia/Tokyo")
  })

  it("follows the gateway's events, a running job at once", async () => {
    gateway.socket.event("cron", { jobId: "a", action: "started", runAtMs: 999_000 })
    assert.strictEqual(shown()[0]?.runningSince, 999_000)
    jobs = [job("c")]
    gateway.socket.event("cron", { jobId: "a", action: "removed" })
    await settle(1_100)
    assert.deepStrictEqual(
      shown().map(({ id }) => id),
      ["c"]
    )
  })

  it("is asked for again when the gateway is back", async () => {
    const before = lists()
    gateway.socket.drop()
    await settle(5_000)
    assert.isAbove(lists(), before)
  })

  it("leaves out a row without an id and keeps the others", async () => {
    jobs = [{ name: "no id" }, job("a", { state: "odd", schedule: null })]
    await store.jobs.refresh()
    assert.strictEqual(shown().length, 1)
    answers["GET /api/crons"] = () => json({ error: "gateway_failure", details: "The gateway is away." }, 502)
    await store.jobs.refresh()
    assert.deepInclude(store.jobs.state.get(), { problem: "The gateway is away." })
    assert.strictEqual(shown().length, 1)
  })
})

describe("a job", () => {
  it("is switched at once, and back where that failed", async () => {
    answers["POST /api/crons/a/toggle"] = () => json({ error: "gateway_failure", details: "It did not work." }, 502)
    const done = store.setEnabled("a", false)
    assert.isFalse(shown()[0]?.enabled)
    assert.deepStrictEqual(await done, { ok: false, message: "It did not work." })
    assert.isTrue(shown()[0]?.enabled)
    assert.include(calls, 'POST /api/crons/a/toggle {"enabled":false}')
  })

  it("runs, and its end is reported", async () => {
    answers["POST /api/crons/a/run"] = () => json({ ok: true, jobId: "a", runAtMs: 5, status: "ok", summary: "Done." })
    const result = await store.run("a")
    assert.deepInclude(result, { ok: true })
    assert.isTrue(result.ok && !result.value.isRunning && result.value.run?.summary === "Done.")
  })

  it("that takes longer is reported as running, and its end once when it comes", async () => {
    answers["POST /api/crons/a/run"] = () => json({ ok: true, jobId: "a", running: true, details: "It goes on." }, 202)
    assert.deepStrictEqual(await store.run("a"), { ok: true, value: { isRunning: true } })
    const ends: Array<string | null | undefined> = []
    store.whenEnded("a", (run) => ends.push(run?.summary))
    gateway.socket.event("cron", { jobId: "a", action: "started", runAtMs: 5 })
    gateway.socket.event("cron", { jobId: "b", action: "finished", runAtMs: 5, status: "ok", summary: "Another's." })
    assert.deepStrictEqual(ends, [])
    gateway.socket.event("cron", { jobId: "a", action: "finished", runAtMs: 5, status: "ok", summary: "Done." })
    gateway.socket.event("cron", { jobId: "a", action: "finished", runAtMs: 9, status: "ok", summary: "The next." })
    assert.deepStrictEqual(ends, ["Done."])
  })

  it("is deleted, and its odd id stays data", async () => {
    jobs = [job("x/../y?")]
    await store.jobs.refresh()
    jobs = []
    assert.isTrue((await store.remove("x/../y?")).ok)
    assert.include(calls, "DELETE /api/crons/x%2F..%2Fy%3F")
    assert.deepStrictEqual(shown(), [])
  })

  it("shows its last runs, anew when one ends", async () => {
    let entries = [{ runAtMs: 1, status: "ok" }, "odd", { status: "ok" }]
    answers["GET /api/crons/a/runs"] = () => json({ ok: true, result: { entries } })
    const history = store.history("a")
    history.open()
    await settle()
    assert.strictEqual(history.state.get().value?.length, 1)
    entries = [{ runAtMs: 2, status: "error" }, ...entries]
    gateway.socket.event("cron", { jobId: "b", action: "finished" })
    gateway.socket.event("cron", { jobId: "a", action: "finished" })
    await settle(1_100)
    assert.deepStrictEqual(
      history.state.get().value?.map(({ at }) => at),
      [2, 1]
    )
  })
})
