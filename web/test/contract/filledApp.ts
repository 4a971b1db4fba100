import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { Effect, Redacted } from "effect"
import { failures, makeAnsweringGateway } from "../../../test/support/answeringGateway.ts"
import { temporaryFolder } from "../../../test/support/fileServices.ts"
import { makeApp } from "../../../test/support/makeApp.ts"
import { pushDouble } from "../../../test/support/pushDouble.ts"
import { answerLine, lines, sessionsFolder, write } from "../../../test/support/transcripts.ts"
import { httpStandIn } from "../../../test/support/voice/httpStandIn.ts"

/** A run as gateways tell it. */
const run = {
  jobId: "job-1",
  action: "finished",
  runId: "run-1",
  runAtMs: 5,
  ts: 6,
  status: "ok",
  durationMs: 7,
  summary: "done",
  error: "none",
  sessionKey: "agent:main:cron:job-1",
  model: "swift",
  provider: "demo",
  usage: { total_tokens: 8 }
}

/** A job with every field that any gateway tells. */
const job = {
  id: "job-1",
  name: "Report",
  displayName: "Report",
  description: "Every day",
  enabled: true,
  schedule: { kind: "cron", expr: "0 9 * * *", tz: "UTC" },
  sessionTarget: "isolated",
  payload: { kind: "agentTurn", message: "Report", model: "demo/swift", thinking: "low" },
  delivery: { mode: "announce", channel: "last" },
  agentId: "main",
  effectiveAgentId: "main",
  declarationKey: "key",
  deleteAfterRun: false,
  createdAtMs: 1,
  state: {
    runningAtMs: 1,
    nextRunAtMs: 2,
    lastRunAtMs: 3,
    lastRunStatus: "ok",
    lastStatus: "ok",
    lastError: "none",
    lastDurationMs: 4,
    consecutiveErrors: 0
  }
}

/** Jobs of the other kinds of schedule and target. */
const otherJobs = [
  {
    ...job,
    id: "job-2",
    schedule: { kind: "every", everyMs: 60_000, anchorMs: 1 },
    payload: { kind: "systemEvent", text: "Look" }
  },
  { ...job, id: "job-3", schedule: { kind: "at", at: "2030-01-01T00:00:00Z", atMs: 1_893_456_000_000 }, payload: {} }
]

const skill = {
  name: "weather",
  description: "Tells the weather",
  emoji: "🌦",
  eligible: false,
  disabled: false,
  blockedByAllowlist: false,
  bundled: true,
  source: "bundled",
  homepage: "https://example.org",
  missing: { bins: ["curl"], anyBins: ["a"], env: ["KEY"], config: ["a.b"], os: ["linux"] },
  install: [{ id: "brew", kind: "brew", label: "Install curl" }]
}

/** What the gateway is asked to approve. */
export const approval = {
  id: "approval-1",
  request: {
    sessionKey: "agent:main:main",
    agentId: "main",
    command: "rm -r old",
    commandPreview: "rm",
    cwd: "/work",
    host: "gateway",
    title: "Remove",
    description: "Removes a folder",
    allowedDecisions: ["allow-once", "deny"]
  },
  createdAtMs: 0,
  expiresAtMs: 1_800_000
}

/** What an agent asks, in two parts. */
export const question = {
  id: "question-1",
  sessionKey: "agent:main:main",
  questions: [
    {
      questionId: "colour",
      header: "Colour",
      question: "Which colour?",
      url: "https://example.org",
      options: [{ label: "Red", description: "Like the barn" }],
      isOther: true
    },
    {
      questionId: "key",
      question: "The key?",
      options: [],
      isSecret: true,
      secretStore: { name: "KEY", reason: "To look things up", allowedHosts: ["example.org"] }
    }
  ],
  createdAtMs: 0,
  expiresAtMs: 1_800_000_000
}

/** A run with everything that a run may tell. */
export const RUN = {
  sessionKey: "s",
  startedAt: 1,
  endedAt: 2,
  status: "error",
  error: "no",
  note: "another model",
  console: "desk",
  gateway: "desk:18789",
  gatewayId: "other"
}

/** The whole app with something of everything: a damaged database was set aside, and every folder has its files. */
export const makeFilledApp = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const svcHome = `${folder}/svc`
  const workspace = `${folder}/gateway/workspace`
  for (const path of [
    svcHome,
    `${workspace}/memory`,
    `${workspace}/notes/deep`,
    `${folder}/agent-a`,
    `${folder}/install`
  ])
    mkdirSync(path, { recursive: true })
  writeFileSync(`${svcHome}/console.db`, "no database".repeat(500))
  writeFileSync(`${workspace}/MEMORY.md`, "# Memory\n\n## Facts\n\n- One\n")
  writeFileSync(`${workspace}/memory/2026-11-20.md`, "# Day\n\n## Morning\n\nText\n")
  writeFileSync(`${workspace}/memory/2026-11-19.md`, Buffer.from("# Zo\xeb\n", "latin1"))
  writeFileSync(`${workspace}/SOUL.md`, "Soul\n")
  writeFileSync(`${workspace}/notes/a.txt`, "A\n")
  // A name that no path can say.
  writeFileSync(`${workspace}/back\\slash.txt`, "B\n")
  const home = `${folder}/gateway`
  write(
    sessionsFolder(home),
    "a.jsonl",
    lines(answerLine({ at: 0 }), answerLine({ id: "unpriced", at: 0, cost: null }))
  )
  write(sessionsFolder(home), "sessions.json", JSON.stringify({ "agent:main:a": { sessionId: "a", label: "A" } }))
  writeFileSync(
    `${folder}/agent-b`,
    '#!/bin/sh\nread -r _ < "$0.go"\necho "Current session"\necho "25% used"\necho "Resets 3:59pm (UTC)"\necho "Current week (all models)"\necho "4% used"\necho "Resets Nov 24 at 9am (UTC)"\n'
  )
  chmodSync(`${folder}/agent-b`, 0o755)
  execFileSync("mkfifo", [`${folder}/agent-b.go`])
  const vendor = yield* httpStandIn(({ url }, response) => {
    if (url.includes("transcriptions")) return response.end(JSON.stringify({ text: "hello" }))
    if (url.includes("wham")) {
      const window = { used_percent: 12, reset_at: 4_000_000_000 }
      const rate_limit = { primary_window: window, secondary_window: window }
      const credits = { has_credits: true, unlimited: false, balance: 3 }
      return response.end(JSON.stringify({ plan_type: "plus", rate_limit, credits }))
    }
    return response.writeHead(404).end()
  })
  const double = yield* pushDouble(() => 0)
  writeFileSync(`${folder}/agent-a/auth.json`, JSON.stringify({ tokens: { access_token: "x", account_id: "y" } }))

  let config: unknown = {}
  const answers: Readonly<Record<string, (params: object) => unknown>> = {
    "agents.list": () => ({
      defaultId: "main",
      mainKey: "main",
      scope: "per-sender",
      agents: [
        { id: "main", name: "Main", workspace },
        { id: "helper", name: "Helper", workspace: `${folder}/gateway/workspace-helper` }
      ]
    }),
    "cron.list": () => ({ jobs: [job, ...otherJobs] }),
    "cron.add": () => job,
    "cron.update": () => job,
    "cron.remove": () => ({ removed: true }),
    "cron.run": (params) => ({ runId: "id" in params && params.id === "job-1" ? "run-1" : "run-2", ran: true }),
    "cron.runs": () => ({ entries: [run] }),
    "skills.status": () => ({ skills: [skill] }),
    "models.list": () => ({ models: [{ id: "swift", provider: "demo", name: "Swift" }] }),
    "question.resolve": () => ({ ok: true }),
    "config.get": () => ({ config }),
    "config.patch": (params) => {
      config = JSON.parse("raw" in params ? String(params.raw) : "{}")
      return { ok: true }
    }
  }
  const gateway = yield* makeAnsweringGateway(
    ({ method, params }) => {
      const answer = answers[method]
      return answer === undefined ? Effect.fail(failures.missingScope) : Effect.sync(() => answer(params))
    },
    { protocol: 4, version: undefined, scopes: [], methods: new Set() }
  )
  const app = yield* makeApp({
    settings: {
      svcHome,
      gatewayHome: home,
      memoryPath: `${workspace}/MEMORY.md`,
      memoryDir: `${workspace}/memory`,
      usageFile: `${home}/token-usage.json`,
      installDir: `${folder}/install`,
      userName: "Ada",
      voicePhrasesPath: `${svcHome}/voice-phrases.json`,
      sttModelDir: `${svcHome}/models`,
      sttModelBaseUrl: vendor.url,
      sttProvider: "vendor_a",
      vendorAKey: Redacted.make("key"),
      vendorABaseUrl: `${vendor.url}/v1`,
      pushAllowedOrigins: [double.origin],
      agentADir: `${folder}/agent-a`,
      agentABaseUrl: vendor.url,
      agentBCommand: `${folder}/agent-b`
    },
    gateway: gateway.layer
  })
  /** Agent B's tool waits for it before it tells its limits. */
  const releaseAgentB = Effect.promise(() => writeFile(`${folder}/agent-b.go`, "go\n"))
  return { ...app, gateway, workspace, svcHome, double, releaseAgentB }
})
