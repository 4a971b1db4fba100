import { LOST, runFailure } from "./runFailure.ts"
import type { RunMessage, RunSession } from "./runFrames.ts"

/** Everything a poll learnt about one run. */
export interface RunEvidence {
  /** `agent.wait`: `timeout` means not finished or not known any more. */
  readonly wait: string
  /** The session's messages, oldest first. */
  readonly messages: ReadonlyArray<RunMessage>
  readonly session: RunSession | undefined
  /** The gateway started after the run did, long enough ago to have resumed what it resumes. */
  readonly restarted: boolean
}

/** What the evidence says. */
export type RunVerdict =
  | { readonly type: "running" }
  | { readonly type: "done"; readonly text: string | undefined }
  | { readonly type: "error"; readonly error: string }
  | { readonly type: "aborted" }

const RUNNING: RunVerdict = { type: "running" }

/** The visible text of a message. */
export const messageText = (message: RunMessage): string => {
  const { content } = message
  if (content === undefined) return ""
  if (typeof content === "string") return content
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("")
}

const assistants = (messages: ReadonlyArray<RunMessage>): ReadonlyArray<RunMessage> => {
  const asked = messages.findLastIndex((message) => message.role === "user")
  return messages.slice(asked + 1).filter((message) => message.role === "assistant")
}

/** The answer to the last question: its parts, in order. */
export const answerText = (messages: ReadonlyArray<RunMessage>): string | undefined => {
  const parts = assistants(messages)
    .filter((message) => message.openclawAbort === undefined)
    .map(messageText)
    .filter((text) => text.trim().length > 0)
  return parts.length === 0 ? undefined : parts.join("\n\n")
}

const failed = (...texts: ReadonlyArray<string | null | undefined>): RunVerdict => ({
  type: "error",
  error: runFailure(texts.find((text) => typeof text === "string") ?? undefined)
})

/**
 * Judges a run by what a poll found. The transcript counts before the session row, which one gateway generation leaves
 * at `running` for good after an abort (D42).
 */
export const runVerdict = ({ wait, messages, session, restarted }: RunEvidence): RunVerdict => {
  const answers = assistants(messages)
  const last = answers.at(-1)
  if (answers.some((message) => message.openclawAbort?.aborted === true) || last?.stopReason === "aborted") {
    return { type: "aborted" }
  }
  const status = session?.status ?? undefined
  if (status === "killed") return { type: "aborted" }
  const busy = session?.hasActiveRun === true
  if (wait === "error" || (!busy && (status === "failed" || status === "timeout"))) {
    return failed(last?.errorMessage, session?.lastRunError)
  }
  if (last?.stopReason === "error") {
    return wait === "ok" || (!busy && status !== "running") ? failed(last.errorMessage) : RUNNING
  }
  const finished = last !== undefined && last.stopReason !== "toolUse" && messageText(last).trim().length > 0
  if (wait === "ok" || (!busy && (finished || status === "done"))) return { type: "done", text: answerText(messages) }
  if (busy) return RUNNING
  const unknown = session === undefined && messages.length === 0
  return unknown || restarted ? { type: "error", error: LOST } : RUNNING
}
