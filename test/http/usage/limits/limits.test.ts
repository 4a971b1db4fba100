import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeApp } from "../../../support/makeApp.ts"
import { worded } from "../../../support/worded.ts"

const NOWHERE = "http://127.0.0.1:9"

/** A service on loopback until the scope closes; answers its address. */
const listen = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    })
  )

const startApp = Effect.fnUntraced(function* (agentABaseUrl = NOWHERE) {
  const folder = yield* temporaryFolder
  mkdirSync(`${folder}/svc`)
  mkdirSync(`${folder}/agent-a`)
  const settings = {
    svcHome: `${folder}/svc`,
    agentADir: `${folder}/agent-a`,
    agentABaseUrl,
    agentBCommand: `${folder}/agent-b`
  }
  const app = yield* makeApp({ settings })
  return { ...app, folder, limits: (path: string) => Effect.flatMap(app.request(path), app.json) }
})

const signIn = (folder: string) =>
  writeFileSync(
    `${folder}/agent-a/auth.json`,
    JSON.stringify({ tokens: { access_token: "secret", account_id: "acc" } })
  )

const sessionFile = (folder: string, day: string, ...lines: ReadonlyArray<object | string>) => {
  const path = `${folder}/agent-a/sessions/2026/11/${day}`
  mkdirSync(path, { recursive: true })
  writeFileSync(
    `${path}/rollout-1.jsonl`,
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")
  )
}

const told = (used: number) => ({
  timestamp: "1970-01-01T00:00:00.000Z",
  type: "event_msg",
  payload: {
    type: "token_count",
    rate_limits: {
      primary: { used_percent: used, window_minutes: 300, resets_in_seconds: 60 },
      secondary: { used_percent: 20, window_minutes: 10_080, resets_at: 3600 },
      credits: { has_credits: true, unlimited: false, balance: "12.5" },
      plan_type: "pro"
    }
  }
})

const window = (used: number, resetsAt: number, formatted: string) => ({
  used_percent: used,
  left_percent: 100 - used,
  resets_at: resetsAt,
  resets_at_formatted: formatted
})

describe("GET /api/agent-a-limits", () => {
  it.effect("asks the service with the agent's own credentials", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const server = yield* listen((request, response) => {
        seen.push([request.url, request.headers.authorization, request.headers["chatgpt-account-id"]])
        response.end(
          JSON.stringify({
            plan_type: "plus",
            rate_limit: {
              primary_window: { used_percent: 12, reset_at: 4_000_000_000 },
              secondary_window: { used_percent: 130, reset_at: 4_000_000_000 }
            },
            credits: { has_credits: false, unlimited: false, balance: null }
          })
        )
      })
      const app = yield* startApp(server)
      signIn(app.folder)
      assert.deepStrictEqual(yield* app.limits("/api/agent-a-limits"), {
        available: true,
        source: "api",
        five_hour_limit: window(12, 4_000_000_000, "2096-10-02T07:06:40.000Z"),
        weekly_limit: window(100, 4_000_000_000, "2096-10-02T07:06:40.000Z"),
        credits: { has_credits: false, unlimited: false, balance: 0 },
        plan_type: "plus"
      })
      assert.deepStrictEqual(seen, [["/wham/usage", "Bearer secret", "acc"]])
      yield* app.limits("/api/agent-a-limits")
      assert.lengthOf(seen, 1)
    })
  )

  it.effect("takes what the newest session files reported last when nobody is signed in", () =>
    Effect.gen(function* () {
      const app = yield* startApp()
      sessionFile(app.folder, "19", told(90))
      sessionFile(app.folder, "20", told(5), told(7), '{ "rate_limits": half a line')
      assert.deepStrictEqual(yield* app.limits("/api/agent-a-limits"), {
        available: true,
        source: "local",
        five_hour_limit: window(7, 60, "1970-01-01T00:01:00.000Z"),
        weekly_limit: window(20, 3600, "1970-01-01T01:00:00.000Z"),
        credits: { has_credits: true, unlimited: false, balance: 12.5 },
        plan_type: "pro"
      })
    })
  )

  it.effect("falls back to the session files when the service cannot be reached or answers nonsense", () =>
    Effect.gen(function* () {
      const server = yield* listen((_, response) => response.end("<html>"))
      for (const address of [NOWHERE, server]) {
        const app = yield* startApp(address)
        signIn(app.folder)
        sessionFile(app.folder, "20", told(7))
        assert.deepInclude(yield* app.limits("/api/agent-a-limits"), { available: true, source: "local" })
      }
    })
  )

  it.effect("says that it knows nothing without credentials and sessions", () =>
    Effect.gen(function* () {
      const app = yield* startApp()
      assert.deepStrictEqual(worded(yield* app.limits("/api/agent-a-limits")), {
        available: false,
        error: "Codex isn't signed in on this machine and hasn't reported any limits yet: use it once"
      })
    })
  )
})

describe("GET /api/agent-b-limits", () => {
  const tool = (folder: string, script: string) => {
    writeFileSync(`${folder}/agent-b`, `#!/bin/sh\n${script}\n`)
    chmodSync(`${folder}/agent-b`, 0o755)
  }

  it.effect("reads the tool's output once and answers from memory after that", () =>
    Effect.gen(function* () {
      const app = yield* startApp()
      tool(app.folder, `echo run >> ${app.folder}/runs; echo "Current session"; echo "25% used"`)
      const expected = {
        available: true,
        session_limit: { used_percent: 25, left_percent: 75, resets_at_epoch: null, resets_at_raw: "" },
        weekly_limit: null
      }
      const ask = Effect.repeat(app.limits("/api/agent-b-limits"), {
        until: (answer) => JSON.stringify(answer) !== JSON.stringify(ASKING)
      })
      assert.deepStrictEqual(yield* ask, expected)
      assert.deepStrictEqual(yield* ask, expected)
    })
  )

  it.effect("answers everybody who asks at the same time", () =>
    Effect.gen(function* () {
      const app = yield* startApp()
      tool(app.folder, 'sleep 0.1; echo "Current session"; echo "25% used"')
      const answers = yield* Effect.forEach([1, 2, 3], () => app.request("/api/agent-b-limits"), {
        concurrency: "unbounded"
      })
      for (const answer of answers) assert.strictEqual(answer.status, 200)
    })
  )

  it.live("does not wait for a tool that hangs", () =>
    Effect.gen(function* () {
      const app = yield* startApp()
      tool(app.folder, "exec sleep 600")
      assert.deepStrictEqual(worded(yield* app.limits("/api/agent-b-limits")), ASKING)
    })
  )

  it.effect("says that the tool is missing, or has no result", () =>
    Effect.gen(function* () {
      const missing = yield* startApp()
      assert.deepStrictEqual(worded(yield* missing.limits("/api/agent-b-limits")), {
        available: false,
        error: "Claude Code isn't on this machine, or the console can't find it: install it and sign in"
      })
      const silent = yield* startApp()
      tool(silent.folder, "echo Please sign in")
      const answer = yield* Effect.repeat(silent.limits("/api/agent-b-limits"), {
        until: (found) => JSON.stringify(worded(found)) !== JSON.stringify(ASKING)
      })
      assert.deepStrictEqual(worded(answer), {
        available: false,
        error: "Claude Code reported no limits: sign in with it on this machine"
      })
    })
  )
})

const ASKING = {
  available: false,
  error: "the limits are being fetched: try again in a few seconds",
  pending: true
}
