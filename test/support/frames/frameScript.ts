import type { Scene } from "./playScript.ts"

const say = (message: string, idempotencyKey: string, more: object = {}) => ({
  method: "chat.send",
  params: { sessionKey: "$key", message, idempotencyKey, ...more },
  keep: { run: "runId" }
})
const ended = (state: string) => ({ event: "chat", fields: { sessionKey: "$key", state } })
const told = (phase: string) => ({ event: "sessions.changed", fields: { sessionKey: "$key", phase } })
const answered = { event: "session.message", fields: { sessionKey: "$key", "message.role": "assistant" } }
const history = { method: "chat.history", params: { sessionKey: "$key", limit: 50 } }
const rows = {
  method: "sessions.list",
  params: { limit: 50, includeDerivedTitles: true, includeLastMessage: true }
}
const job = {
  enabled: true,
  schedule: { kind: "cron", expr: "0 9 * * *" },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "a job [[mock:text=done]]" },
  delivery: { mode: "none" }
}
const question = {
  id: "colour",
  header: "Colour",
  question: "Which colour shall the shed have?",
  options: [{ label: "Red", description: "As before" }, { label: "Blue" }]
}
const asking = `Go on. [[mock:tool=ask_user ${JSON.stringify({ questions: [question], timeoutSeconds: 60 })}]] [[mock:text=noted]]`
const touch = 'Run it. [[mock:tool=exec {"command":"touch asked.txt"}]] [[mock:text=through]]'

/** Every request of the console to a gateway, as one conversation; mock directives control the model of a real one. */
export const FRAME_SCRIPT: ReadonlyArray<Scene> = [
  {
    title: "looking around",
    steps: [
      { method: "sessions.subscribe" },
      rows,
      { method: "models.list" },
      { method: "agents.list" },
      { method: "agents.files.list", params: { agentId: "main" } },
      { method: "skills.status" },
      { method: "config.get" },
      { method: "cron.list", params: { includeDisabled: true, limit: 100, offset: 0 } },
      { method: "sessions.usage", params: { startDate: "2020-01-01", endDate: "2099-01-01", limit: 1000 } },
      { method: "chat.history", params: { sessionKey: "agent:main:nobody-yet", limit: 5 }, about: "unknown session" }
    ]
  },
  {
    title: "a plain turn",
    steps: [say("hello [[mock:text=hello there]]", "plain-1"), ended("final"), told("end"), history, rows]
  },
  {
    title: "a second turn",
    steps: [
      say("one [[mock:text=one]]", "second-1"),
      ended("final"),
      told("end"),
      say("two [[mock:text=two]]", "second-2"),
      ended("final"),
      told("end"),
      {
        method: "chat.send",
        params: { sessionKey: "$key", message: "two", idempotencyKey: "second-2" },
        about: "again"
      },
      history,
      { method: "sessions.get", params: { key: "$key" } },
      { method: "agent.wait", params: { runId: "second-2", timeoutMs: 5000 } },
      { method: "agent.wait", params: { runId: "nobody", timeoutMs: 1 }, about: "unknown run" }
    ]
  },
  {
    title: "a turn with a tool",
    steps: [
      say('[[mock:before=let me look]] [[mock:tool=exec {"command":"echo hi"}]]', "tool-1"),
      ended("final"),
      told("end"),
      history
    ]
  },
  {
    title: "a turn with thinking",
    steps: [
      { method: "sessions.patch", params: { key: "$key", model: "$thinker", thinkingLevel: "low" } },
      say("[[mock:think=first a plan]] [[mock:text=then the answer]]", "think-1"),
      ended("final"),
      told("end"),
      history
    ]
  },
  {
    title: "a stopped turn",
    steps: [
      say("[[mock:text=one two three four]] [[mock:chunks=4]] [[mock:hang]]", "stop-1"),
      ended("delta"),
      history,
      { method: "chat.abort", params: { sessionKey: "$key", runId: "stop-1" } },
      ended("aborted"),
      { method: "chat.abort", params: { sessionKey: "$key" }, about: "nothing runs" }
    ]
  },
  {
    title: "a failed turn",
    steps: [say("[[mock:error=400]]", "fail-1"), ended("error"), told("error"), history]
  },
  {
    title: "a message behind a stopped turn",
    // Whether the newer one still reads it depends on timing.
    only: "old",
    steps: [
      say("[[mock:text=one two three four]] [[mock:chunks=4]] [[mock:hang]]", "behind-1"),
      ended("delta"),
      {
        method: "chat.send",
        params: { sessionKey: "$key", message: "next [[mock:text=next]]", idempotencyKey: "behind-2" }
      },
      { method: "chat.abort", params: { sessionKey: "$key", runId: "behind-1" } },
      { event: "chat", fields: { runId: "behind-1", state: "aborted" } }
    ]
  },
  {
    title: "a message into a turn",
    steps: [
      say("[[mock:text=one two three four five six seven eight]] [[mock:chunks=8]] [[mock:delay=700]]", "into-1"),
      ended("delta"),
      {
        method: "chat.send",
        params: { sessionKey: "$key", message: "next [[mock:text=next]]", idempotencyKey: "into-2" }
      },
      { event: "chat", fields: { runId: "into-1", state: "final" } },
      told("end"),
      answered,
      answered,
      history
    ]
  },
  {
    title: "a command",
    steps: [say("/status", "command-1"), ended("final"), history]
  },
  {
    title: "sessions",
    steps: [
      { method: "sessions.create", params: { label: "made by hand" }, keep: { made: "key" } },
      { method: "sessions.patch", params: { key: "$made", label: "renamed" } },
      { method: "sessions.patch", params: { key: "$made", label: null } },
      { method: "sessions.patch", params: { key: "$made", model: "$thinker" } },
      { method: "sessions.patch", params: { key: "$made", model: "nope/none" }, about: "unknown provider" },
      { method: "sessions.patch", params: { key: "$made", thinkingLevel: "enormous" }, about: "no such level" },
      { method: "sessions.patch", params: { key: "$made", colour: "red" }, about: "unknown field" },
      { method: "sessions.patch", params: {}, about: "no key" },
      { method: "sessions.reset", params: { key: "$made" } },
      { method: "sessions.delete", params: { key: "$made" } },
      { method: "sessions.delete", params: { key: "agent:main:nobody-yet" }, about: "unknown session" },
      { method: "sessions.delete", params: { key: "agent:main:main" }, about: "main session" },
      { event: "sessions.changed", fields: { sessionKey: "$made", reason: "delete" } }
    ]
  },
  {
    title: "a message rewound",
    only: "new",
    steps: [
      say("one [[mock:text=one]]", "rewind-1"),
      ended("final"),
      told("end"),
      { ...history, keep: { entry: "messages.0.__openclaw.id", session: "sessionId" } },
      { method: "chat.message.get", params: { sessionKey: "$key", messageId: "$entry" } },
      { method: "chat.message.get", params: { sessionKey: "$key", messageId: "none" }, about: "unknown message" },
      { method: "sessions.rewind", params: { sessionKey: "$key", entryId: "$entry" } },
      { method: "sessions.rewind", params: { sessionKey: "$key", entryId: "none" }, about: "unknown message" },
      history,
      say("two [[mock:text=two]]", "rewind-2"),
      ended("final"),
      told("end"),
      {
        method: "sessions.branches.list",
        params: { sessionKey: "$key" },
        keep: { off: "branches.1.leafEntryId" }
      },
      { method: "sessions.search", params: { query: "one", sessionKeys: ["$key"], limit: 25 } },
      {
        method: "chat.history",
        params: { sessionKey: "$key", sessionId: "$session", messageId: "$entry", limit: 1000, maxChars: 1 },
        about: "as it was"
      },
      { method: "sessions.branches.switch", params: { sessionKey: "$key", leafEntryId: "none" }, about: "unknown end" },
      { method: "sessions.branches.switch", params: { sessionKey: "$key", leafEntryId: "$off" } },
      { event: "sessions.changed", fields: { sessionKey: "$key", reason: "branch-switch" } },
      history
    ]
  },
  {
    title: "jobs",
    steps: [
      { method: "cron.add", params: { name: "frames job", ...job }, keep: { job: "id" } },
      { method: "cron.update", params: { id: "$job", patch: { name: "renamed job" } } },
      { method: "cron.list", params: { includeDisabled: true, limit: 100, offset: 0 } },
      { method: "cron.run", params: { id: "$job", mode: "force" } },
      { event: "cron", fields: { jobId: "$job", action: "finished" } },
      { method: "cron.runs", params: { id: "$job", limit: 20 } },
      {
        method: "cron.update",
        params: { id: "$job", patch: { payload: { kind: "agentTurn", message: "[[mock:hang]]" } } }
      },
      { method: "cron.run", params: { id: "$job", mode: "force" } },
      { event: "cron", fields: { jobId: "$job", action: "started" } },
      { method: "cron.run", params: { id: "$job", mode: "force" }, about: "runs already" },
      { method: "cron.remove", params: { id: "$job" } },
      { event: "cron", fields: { jobId: "$job", action: "removed" } }
    ]
  },
  {
    title: "refused jobs",
    steps: [
      {
        method: "cron.add",
        params: { name: "x", ...job, schedule: { kind: "cron", expr: "61 9 * * *" } },
        about: "bad expression"
      },
      { method: "cron.add", params: { name: "x", ...job, colour: "red" }, about: "unknown field" },
      { method: "cron.add", params: { name: "x", ...job, sessionTarget: "main" }, about: "wrong payload" },
      {
        method: "cron.add",
        params: { name: "x", ...job, schedule: { kind: "at", at: "2001-01-01T00:00:00Z" } },
        about: "past"
      },
      { method: "cron.update", params: { id: "none", patch: { name: "x" } }, about: "unknown job" },
      { method: "cron.run", params: { id: "none", mode: "force" }, about: "unknown job" },
      { method: "cron.runs", params: { id: "none", limit: 20 }, about: "unknown job" },
      { method: "cron.remove", params: { id: "none" }, about: "unknown job" }
    ]
  },
  {
    title: "refused requests",
    steps: [
      { method: "no.such.method" },
      { method: "chat.send", params: { sessionKey: "$key" }, about: "fields missing" },
      {
        method: "chat.send",
        params: { sessionKey: "$key", message: " ", idempotencyKey: "empty" },
        about: "nothing said"
      },
      { method: "chat.history", params: { sessionKey: "$key", limit: 5000 }, about: "too much" },
      { method: "sessions.list", params: { colour: "red" }, about: "unknown field" }
    ]
  },
  {
    title: "an open question",
    only: "new",
    steps: [
      say(asking, "ask-1"),
      {
        event: "question.requested",
        fields: { sessionKey: "$key" },
        keep: { question: "id", part: "questions.0.questionId" }
      },
      { method: "question.list" },
      rows,
      history,
      { method: "question.resolve", params: { id: "$question", answers: { answers: {} } }, about: "not answered" },
      { method: "question.resolve", params: { id: "$question", answers: { answers: { colour: ["Blue"] } } } },
      {
        method: "question.resolve",
        params: { id: "$question", answers: { answers: { colour: ["Red"] } } },
        about: "again"
      },
      ended("final"),
      told("end")
    ]
  },
  {
    title: "a question answered by a message",
    only: "new",
    steps: [
      say(asking, "answer-1"),
      { event: "question.requested", fields: { sessionKey: "$key" }, keep: { question: "id" } },
      { method: "chat.send", params: { sessionKey: "$key", message: "Blue", idempotencyKey: "answer-2" } },
      { event: "question.resolved", fields: { id: "$question" } },
      { event: "chat", fields: { runId: "answer-1", state: "final" } },
      told("end")
    ]
  },
  {
    title: "a permission",
    asks: true,
    steps: [
      say(touch, "allow-1"),
      { event: "exec.approval.requested", keep: { approval: "id" } },
      rows,
      { method: "exec.approval.list" },
      { method: "plugin.approval.list" },
      { method: "exec.approval.resolve", params: { id: "$approval", decision: "maybe" }, about: "no such decision" },
      { method: "exec.approval.resolve", params: { id: "$approval", decision: "allow-once" } },
      { event: "exec.approval.resolved", fields: { id: "$approval" } },
      { method: "exec.approval.resolve", params: { id: "$approval", decision: "deny" }, about: "again" },
      ended("final"),
      told("end")
    ]
  }
]
