import { Result } from "effect"
import { jobView } from "../cron/CronJobs.ts"
import type { Gateway } from "../Gateway.ts"
import { DEMO_MODELS, fullModelId, splitModelId } from "../sessions/models.ts"
import { agentIdOf, MAIN_KEY, modelOf } from "../sessions/SessionStore.ts"
import type { JsonObject } from "../wire/frames.ts"
import { listSessions } from "./sessionMethods.ts"

/** A tool that is not there or could not do its work, with the HTTP status it is answered with. */
export interface ToolFault {
  readonly status: 400 | 404 | 500
  readonly type: "not_found" | "tool_error"
  readonly message: string
}

type ToolAnswer = Result.Result<JsonObject, ToolFault>
type Tool = (gateway: Gateway, args: JsonObject, sessionKey: string) => ToolAnswer

const fault = (status: ToolFault["status"], type: ToolFault["type"], message: string): ToolAnswer =>
  Result.fail({ status, type, message })

const textArg = (args: JsonObject, name: string) => {
  const value = args[name]
  return typeof value === "string" ? value : undefined
}

const numberArg = (args: JsonObject, name: string) => {
  const value = args[name]
  return typeof value === "number" ? value : undefined
}

const sessionsList: Tool = (gateway, args) => {
  const limit = numberArg(args, "limit")
  const { sessions, count } = listSessions(gateway, {
    ...(limit === undefined ? {} : { limit }),
    includeLastMessage: true
  })
  return Result.succeed({ count, sessions })
}

const sessionsHistory: Tool = (gateway, args, sessionKey) => {
  const session = gateway.store.find(textArg(args, "sessionKey") ?? sessionKey)
  if (session === undefined) return fault(400, "tool_error", "session not found")
  const messages = session.messages.slice(-(numberArg(args, "limit") ?? 50))
  return Result.succeed({
    sessionKey: session.key,
    messages: messages.map((message) => gateway.generation.message(message, "history"))
  })
}

const sessionStatus: Tool = (gateway, args, sessionKey) => {
  const session = gateway.store.open(textArg(args, "sessionKey") ?? sessionKey)
  const wanted = textArg(args, "model")
  if (wanted !== undefined) session.override = wanted === "default" ? undefined : splitModelId(wanted)
  const statusText = [
    `🖥️ Demo gateway ${gateway.generation.version}`,
    `🧠 Model: ${fullModelId(modelOf(session))}`,
    `🧵 Session: ${session.key}`
  ].join("\n")
  return Result.succeed({ ok: true, sessionKey: session.key, changedModel: wanted !== undefined, statusText })
}

const sessionsSpawn: Tool = (gateway, args, sessionKey) => {
  const task = textArg(args, "task")
  if (task === undefined) return fault(400, "tool_error", "task required")
  const child = gateway.store.open(`agent:main:subagent:${gateway.newId()}`)
  child.spawnedBy = gateway.store.open(sessionKey).key
  child.label = textArg(args, "label")
  child.thinkingLevel = textArg(args, "thinking")
  const model = textArg(args, "model")
  if (model !== undefined) child.override = splitModelId(model)
  const runId = gateway.newId()
  gateway.runs.start({ runId, session: child, kind: "chat", text: task })
  return Result.succeed({ status: "accepted", childSessionKey: child.key, runId, mode: "run" })
}

const sessionsSend: Tool = (gateway, args, sessionKey) => {
  const runId = gateway.newId()
  const session = gateway.store.open(textArg(args, "sessionKey") ?? sessionKey)
  gateway.runs.start({ runId, session, kind: "chat", text: textArg(args, "message") ?? "" })
  return Result.succeed({ status: "accepted", runId, sessionKey: session.key })
}

const cron: Tool = (gateway, args) => {
  if (!gateway.generation.hasCronTool) return fault(500, "tool_error", "tool execution failed")
  if (textArg(args, "action") !== "list") return fault(400, "tool_error", "unsupported action")
  const jobs = [...gateway.cron.jobs.values()].map((job) => jobView(job))
  return Result.succeed({ jobs: gateway.generation.answer("cron.list", { jobs }), total: jobs.length })
}

const ALWAYS: Readonly<Record<string, Tool>> = {
  sessions_list: sessionsList,
  sessions_history: sessionsHistory,
  session_status: sessionStatus,
  agents_list: (gateway) =>
    Result.succeed({
      requester: "main",
      allowAny: false,
      agents: gateway.agents.map(({ id }) => ({ id, configured: true, model: fullModelId(DEMO_MODELS[0]) }))
    }),
  subagents: (gateway) =>
    Result.succeed({
      subagents: gateway.store.newest().flatMap((row) => (row.spawnedBy === undefined ? [] : [row.key]))
    }),
  memory_search: () => Result.succeed({ results: [], provider: "none", citations: "auto" }),
  memory_get: () => Result.succeed({ path: "", text: "" })
}

const ON_REQUEST: Readonly<Record<string, Tool>> = {
  sessions_spawn: sessionsSpawn,
  sessions_send: sessionsSend,
  cron,
  gateway: (gateway) => Result.succeed({ ok: true, config: {}, version: gateway.generation.version }),
  memory_store: (_, args, sessionKey) =>
    Result.succeed({ action: "created", text: textArg(args, "text") ?? "", agentId: agentIdOf(sessionKey) })
}

/** Runs a tool as `POST /tools/invoke` does; tools that were not allowed are unknown. */
export const invokeTool = (
  gateway: Gateway,
  name: string,
  args: JsonObject,
  sessionKey: string | undefined
): ToolAnswer => {
  const wanted = name === "automations" ? "cron" : name
  const tool = Object.hasOwn(ALWAYS, wanted)
    ? ALWAYS[wanted]
    : gateway.allowedTools.has(wanted) && Object.hasOwn(ON_REQUEST, wanted)
      ? ON_REQUEST[wanted]
      : undefined
  if (tool !== undefined) return tool(gateway, args, sessionKey ?? MAIN_KEY)
  const shown = wanted === "cron" && !gateway.generation.hasCronTool ? "automations" : name
  return fault(404, "not_found", `Tool not available: ${shown}`)
}
