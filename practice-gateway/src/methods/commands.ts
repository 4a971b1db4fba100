import type { Gateway } from "../Gateway.ts"
import { DEMO_MODELS, findModel, fullModelId, splitModelId } from "../sessions/models.ts"
import { modelOf, type Session, thinkingOf } from "../sessions/SessionStore.ts"

/** A command a person typed instead of a message. */
export interface Command {
  readonly name: "status" | "model" | "think" | "new" | "reset" | "stop" | "help"
  readonly argument: string
}

const NAMES = ["status", "model", "think", "new", "reset", "stop", "help"] as const

/** Recognises `/status`, `/model x`, `/think x`, `/new`, `/stop` and `/help`; anything else is a message. */
export const parseCommand = (text: string): Command | undefined => {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim())
  const name = NAMES.find((known) => known === match?.[1])
  return name === undefined ? undefined : { name, argument: (match?.[2] ?? "").trim() }
}

const statusText = (session: Session) => {
  const model = modelOf(session)
  return [
    "🖥️ Demo gateway",
    `🧠 Model: ${fullModelId(model)} · thinking ${thinkingOf(session)}`,
    `🧮 Tokens: ${session.inputTokens} in / ${session.outputTokens} out · context ${session.totalTokens} of ${model.contextWindow}`,
    `🧵 Session: ${session.key} · ${session.messages.length} messages`
  ].join("\n")
}

const setModel = (session: Session, argument: string): string => {
  if (argument === "")
    return `Model: ${fullModelId(modelOf(session))}. Available: ${DEMO_MODELS.map(fullModelId).join(", ")}.`
  const { provider, id } = splitModelId(argument)
  if (findModel(provider, id) === undefined) return `Unknown model "${argument}". Use /model to list models.`
  session.override = { provider, id }
  return `Model set to ${provider}/${id}.`
}

const setThinking = (session: Session, level: string): string => {
  const model = modelOf(session)
  if (level === "") return `Thinking level: ${thinkingOf(session)}. Options: ${model.thinkingLevels.join(", ")}.`
  if (!model.thinkingLevels.includes(level))
    return `Thinking level "${level}" is not supported for ${fullModelId(model)}. Use one of: ${model.thinkingLevels.join(", ")}.`
  session.thinkingLevel = level
  return `Thinking level set to ${level}.`
}

/** Runs a command and answers it in the session; `false` when the text is a message for the agent. */
export const runCommand = (
  gateway: Gateway,
  session: Session,
  request: { readonly runId: string; readonly text: string }
): boolean => {
  const command = parseCommand(request.text)
  if (command === undefined || command.name === "help") return false
  if (command.name === "new" || command.name === "reset") {
    gateway.runs.forget(session)
    gateway.store.reset(session, gateway.generation.resetsInPlace)
    gateway.sessions.reason(session, "reset")
    if (!gateway.generation.resetsInPlace) return false
  }
  const answer = (): string => {
    switch (command.name) {
      case "status":
        return statusText(session)
      case "model":
        return setModel(session, command.argument)
      case "think":
        return setThinking(session, command.argument)
      case "stop":
        return gateway.runs.abort(session, undefined).length > 0 ? "⚙️ Agent was aborted." : "⚙️ Nothing is running."
      default:
        return "✅ New session started."
    }
  }
  const isWriting = command.name === "status" || command.name === "model" || command.name === "think"
  if (isWriting) gateway.runs.disturb(session)
  gateway.runs.inject({ ...request, session, kind: "chat" }, answer())
  return true
}
