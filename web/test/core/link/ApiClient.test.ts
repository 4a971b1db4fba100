import { assert, describe, it } from "@effect/vitest"
import { createApiClient } from "../../../src/core/link/ApiClient.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

function clientThat(answer: (url: string, init: RequestInit) => Promise<Response>) {
  const gateway = new FakeGateway()
  gateway.fetch = answer
  return createApiClient(gateway.env)
}

const replying = (status: number, body: string, headers: Record<string, string> = {}) =>
  clientThat(async () => new Response(body, { status, headers }))

describe("answers", () => {
  it("are values of the contract's types", async () => {
    const api = replying(200, '{"authEnabled":true,"authenticated":false}')
    assert.deepStrictEqual(await api.authStatus(), { ok: true, value: { authEnabled: true, authenticated: false } })
  })

  it("name the build they are from, refusals too", async () => {
    const heard: Array<string> = []
    for (const [status, headers] of [
      [200, { "x-console-build": "b1" }],
      [500, { "x-console-build": "b2" }],
      [200, {}]
    ] as const) {
      const api = clientThat(async () => new Response("{}", { status, headers }))
      api.onBuild((build) => heard.push(build))
      await api.version()
    }
    assert.deepStrictEqual(heard, ["b1", "b2"])
  })

  it("send JSON with the page's cookie", async () => {
    const seen: Array<unknown> = []
    const api = clientThat(async (url, init) => {
      seen.push(url, init.method, init.credentials, init.body)
      return new Response('{"ok":true}')
    })
    assert.isTrue((await api.login("pa ss")).ok)
    assert.deepStrictEqual(seen, ["http://console.test/api/auth/login", "POST", "same-origin", '{"password":"pa ss"}'])
  })

  it.each([
    [200, "not json", "shape"],
    [200, "7", "shape"],
    [400, '{"error":"validation_error","details":"title: too long"}', "invalid"],
    [403, "", "forbidden"],
    [404, '{"error":"not_found"}', "not_found"],
    [409, '{"error":"version_conflict"}', "conflict"],
    [413, '{"error":"Request body too large"}', "too_large"],
    [500, "Internal server error", "server"],
    [502, '{"error":"gateway_failure","details":"The device is not approved."}', "gateway"]
  ])("%i %s is a failure of kind %s with a sentence", async (status, body, kind) => {
    const answer = await replying(status, body).authStatus()
    assert.isTrue(!answer.ok && answer.error.kind === kind && answer.error.status === status)
    assert.match(answer.ok ? "" : answer.error.message, /[a-z] .*[.a-z]$/)
  })

  it.each([
    [200, "<!doctype html>Sign in", "text/html", "foreign"],
    [200, "<!doctype html>Sign in", "application/xhtml+xml", "foreign"],
    [200, "\n<html>Sign in", "text/plain", "foreign"],
    [201, "<!doctype html>Sign in", "text/html; charset=utf-8", "foreign"],
    [400, "<html>Request Header Or Cookie Too Large", "text/html", "foreign"],
    [401, "", "text/plain", "foreign"],
    [401, '{"error":"unauthorized"}', "application/json", "foreign"],
    [401, '{"message":"Authentication required"}', "application/json", "foreign"],
    [403, "<html>Forbidden", "text/html", "foreign"],
    [404, "404 page not found", "text/plain", "foreign"],
    [404, "", "text/plain", "foreign"],
    [409, "<html>Conflict", "text/html", "foreign"],
    [500, "<html>Error", "text/html", "foreign"],
    [413, "<html>Request Entity Too Large", "text/html", "too_large"],
    [413, "", "text/plain", "too_large"],
    [429, "<html>Slow down", "text/html", "rate_limited"],
    [502, "<html>Bad Gateway", "text/html", "offline"],
    [503, "no available server", "text/plain", "offline"],
    [504, "", "text/plain", "offline"],
    [524, "<html>A timeout occurred", "text/html", "offline"]
  ])("%i %s isn't the console's, and is a failure of kind %s", async (status, body, type, kind) => {
    const api = replying(status, body, { "content-type": type })
    let calls = 0
    api.onUnauthorized(() => calls++)
    const answer = await api.serverInfo()
    assert.isTrue(!answer.ok)
    if (answer.ok) return
    assert.deepStrictEqual([answer.error.kind, answer.error.status, calls], [kind, status, 0])
    assert.isNull(answer.error.body)
    if (kind === "too_large") assert.match(answer.error.message, /^A proxy between this browser/)
    if (kind === "offline") assert.match(answer.error.message, /^Can't reach the console/)
  })

  it("follow no redirect", async () => {
    const seen: Array<unknown> = []
    const api = clientThat(async (_url, { redirect }) => {
      seen.push(redirect)
      return Object.defineProperty(new Response('{"version":"1","name":"x"}'), "redirected", { value: true })
    })
    const answer = await api.version()
    assert.deepStrictEqual([seen, answer.ok ? "" : answer.error.kind], [["manual"], "foreign"])
  })

  it("keep the server's own sentence and the body of a conflict", async () => {
    const invalid = await replying(400, '{"error":"validation_error","details":"title: too long"}').version()
    assert.strictEqual(invalid.ok ? "" : invalid.error.message, "title: too long")
    for (const status of [500, 502, 503, 504, 429]) {
      const failed = await replying(status, '{"error":"storage_failed","details":"The disk is full."}').version()
      assert.strictEqual(failed.ok ? "" : failed.error.message, "The disk is full.", String(status))
    }
    const conflict = await replying(409, '{"error":"version_conflict"}').version()
    assert.deepStrictEqual(conflict.ok ? null : conflict.error.body, { error: "version_conflict" })
  })

  it("keep codes and traces from people", async () => {
    for (const body of [
      '{"error":"Unexpected token in JSON"}',
      '{"error":"x","details":"boom"}',
      '{"error":"x","details":"Error: boom\\n    at main (server.js:1:1)"}'
    ]) {
      const failed = await replying(500, body).version()
      assert.match(failed.ok ? "" : failed.error.message, /^Something went wrong on the console's server/)
    }
    const limited = await replying(
      429,
      '{"error":"rate_limited","details":"too many requests; try again in 5 s"}'
    ).version()
    assert.strictEqual(limited.ok ? "" : limited.error.message, "Too many requests. Wait a moment, then try again.")
  })

  it("are said by the page where the server only names the status", async () => {
    const large = await replying(413, '{"error":"Request body too large"}').version()
    assert.strictEqual(large.ok ? "" : large.error.message, "That's too large.")
    const signedOut = await replying(401, '{"error":"Authentication required"}').version()
    assert.strictEqual(signedOut.ok ? "" : signedOut.error.message, "Please sign in again.")
  })

  it("429 says how long to wait", async () => {
    for (const [header, wait] of [
      ["7", 7_000],
      [undefined, 1_000],
      ["soon", 1_000]
    ] as const) {
      const answer = await replying(429, "", header === undefined ? {} : { "retry-after": header }).version()
      assert.isTrue(!answer.ok && answer.error.kind === "rate_limited" && answer.error.retryAfterMs === wait)
    }
    const told = await replying(429, '{"details":"too many requests; try again in 7 s"}', {
      "retry-after": "7"
    }).version()
    assert.strictEqual(told.ok ? "" : told.error.message, "Too many requests. Try again in 7 s.")
  })

  it("401 calls the hook, but not for a wrong password", async () => {
    const api = replying(401, '{"error":"Authentication required"}')
    let calls = 0
    api.onUnauthorized(() => calls++)
    await api.serverInfo()
    assert.strictEqual(calls, 1)
    await api.login("wrong")
    assert.strictEqual(calls, 1)
  })

  it("no connection and no answer in time are distinguished, and nothing is thrown", async () => {
    const offline = await clientThat(() => Promise.reject(new TypeError("failed"))).version()
    assert.isTrue(!offline.ok && offline.error.kind === "offline")
    const hanging = clientThat(
      (_, init) =>
        new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))))
    )
    const late = await hanging.request("GET", "/api/slow", () => true, { timeoutMs: 5 })
    assert.isTrue(!late.ok && late.error.kind === "timeout")
  })
})

describe("requests that outlive the page", () => {
  /** A browser's rule: such requests may have 64 KiB of body, all that are under way together. */
  const browser = () => {
    const sent: Array<{ readonly bytes: number; readonly keepalive: boolean }> = []
    let underWay = 0
    let answer: () => void = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const api = clientThat(async (_, { body, keepalive = false }) => {
      const bytes = Buffer.byteLength(String(body ?? ""))
      if (keepalive && underWay + bytes > 65_536) throw new TypeError("Failed to fetch")
      sent.push({ bytes, keepalive })
      if (keepalive) underWay += bytes
      await answered
      if (keepalive) underWay -= bytes
      return new Response("{}")
    })
    const ask = (text: string) => api.request("POST", "/api/x", () => true, { body: { text }, keepalive: true })
    return { sent, ask, answer }
  }

  it.each([
    ["Latin letters", "a".repeat(59_000), true],
    ["Latin letters, too many", "a".repeat(66_000), false],
    ["Chinese ones", "字".repeat(22_000), false],
    ["Cyrillic ones", "б".repeat(33_000), false],
    ["Arabic ones", "ب".repeat(33_000), false],
    ["emoji", "👍".repeat(16_500), false],
    ["what JSON escapes", "\u0001".repeat(11_000), false]
  ])("are as many as a browser lets: %s", async (_, text, keepalive) => {
    const { answer, ask, sent } = browser()
    const asked = ask(text)
    answer()
    assert.isTrue((await asked).ok)
    assert.deepStrictEqual(
      sent.map((request) => request.keepalive),
      [keepalive]
    )
  })

  it("share that room with the others under way, and give it back", async () => {
    const { answer, ask, sent } = browser()
    const both = Promise.all([ask("a".repeat(40_000)), ask("b".repeat(40_000)), ask("c".repeat(10_000))])
    answer()
    for (const { ok } of await both) assert.isTrue(ok)
    assert.isTrue((await ask("d".repeat(40_000))).ok)
    assert.deepStrictEqual(
      sent.map(({ keepalive }) => keepalive),
      [true, false, true, true]
    )
  })
})
