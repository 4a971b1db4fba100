import { Schema } from "effect"
import { beforeCut, LEFT_OUT } from "../../../contract/cutText.ts"
import { errorOf, type Why } from "../../../contract/failure.ts"
import { type ResponseMessage, saidText } from "../../gateway/feed/feedMessage.ts"
import { isFollowUp } from "./commandApprovals.ts"
import { LOST, runFailure } from "./runFailure.ts"

/** Answer to `chat.history`; the reader skips unknown messages. */
export const RunHistory = Schema.Struct({
  sessionId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  messages: Schema.Array(Schema.Unknown)
})

/** Answer to `agent.wait`. */
export const RunWait = Schema.Struct({
  status: Schema.String,
  error: Schema.optionalKey(Schema.Unknown)
})

/** The parts of a `sessions.list` row that a run needs. */
export const RunSession = Schema.Struct({
  key: Schema.String,
  status: Schema.optionalKey(Schema.NullOr(Schema.String)),
  hasActiveRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  lastRunError: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type RunSession = typeof RunSession.Type

export const RunAbort = Schema.Struct({ aborted: Schema.optionalKey(Schema.Boolean) })
export const AgentList = Schema.Struct({ agents: Schema.Array(Schema.Struct({ id: Schema.String })) })
export const Acknowledged = Schema.Struct({})

/** Answer to `sessions.patch`: the model in force. */
export const Patched = Schema.Struct({
  resolved: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        modelProvider: Schema.optionalKey(Schema.NullOr(Schema.String)),
        model: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    )
  )
})

/** Everything a poll found out about one run. */
export interface RunEvidence {
  /** `agent.wait`: `timeout` means unfinished or unknown. */
  readonly wait: string
  /** The failure reported by `agent.wait`. */
  readonly waitError?: string | undefined
  /** The session's messages, oldest first. */
  readonly messages: ReadonlyArray<ResponseMessage>
  readonly session: RunSession | undefined
  /** A command waits for a person, or its outcome hasn't been sent to the agent. */
  readonly isAwaited: boolean
  /** The gateway started after the run did, and has had time to resume its work. */
  readonly restarted: boolean
}

/** What the evidence says. */
export type RunVerdict =
  | { readonly type: "running" }
  | { readonly type: "done"; readonly text: string | undefined }
  | { readonly type: "error"; readonly error: string; readonly why?: Why }
  | { readonly type: "aborted" }

const RUNNING: RunVerdict = { type: "running" }

/** The agent's answers since the last prompt; reports about its commands don't count as prompts. */
const assistants = (messages: ReadonlyArray<ResponseMessage>): ReadonlyArray<ResponseMessage> => {
  const asked = messages.findLastIndex((message) => message.role === "user" && !isFollowUp(message))
  return messages.slice(asked + 1).filter((message) => message.role === "assistant")
}

/** The answer to the last question: its parts, in order. */
export const answerText = (messages: ReadonlyArray<ResponseMessage>): string | undefined => {
  const parts = assistants(messages)
    .filter((message) => message.openclawAbort === undefined)
    .map(saidText)
    .filter((text) => text.trim().length > 0)
  return parts.length === 0 ? undefined : parts.join("\n\n")
}

const isCut = (text: string): boolean => LEFT_OUT.test(text.trim()) || beforeCut(text) !== undefined

/**
 * The answer by the history and by the event that ended it. The history counts: an older gateway's event joins what was
 * said before and after a tool without a break, and loses letters. But it may lag behind, and either may be cut.
 */
export const wholeText = (messages: ReadonlyArray<ResponseMessage>, said: string | undefined): string | undefined => {
  const parts = assistants(messages)
  const kept = answerText(messages)
  const last = parts.at(-1)
  const isThere = last !== undefined && last.stopReason !== "toolUse" && saidText(last).trim() !== ""
  if (kept === undefined || said === undefined) return kept ?? said
  if (isThere && !parts.map(saidText).some(isCut)) return kept
  return said.length > kept.length ? said : kept
}

const failed = (last: ResponseMessage | undefined, ...texts: ReadonlyArray<string | null | undefined>): RunVerdict => ({
  type: "error",
  ...errorOf(runFailure([last?.errorMessage, ...texts].find((text) => typeof text === "string") ?? undefined, last))
})

/**
 * Judges a run by what a poll found. The transcript takes precedence over the session row, which one gateway generation
 * leaves at `running` for good after an abort.
 */
export const runVerdict = ({ wait, waitError, messages, session, restarted, isAwaited }: RunEvidence): RunVerdict => {
  const answers = assistants(messages)
  const last = answers.at(-1)
  if (answers.some((message) => message.openclawAbort?.aborted === true) || last?.stopReason === "aborted") {
    return { type: "aborted" }
  }
  const status = session?.status ?? undefined
  if (status === "killed") return { type: "aborted" }
  const busy = session?.hasActiveRun === true
  if (wait === "error" || (!busy && (status === "failed" || status === "timeout"))) {
    return failed(last, session?.lastRunError, waitError)
  }
  if (last?.stopReason === "error") {
    return wait === "ok" || (!busy && status !== "running") ? failed(last) : RUNNING
  }
  // A restarted gateway has lost its pending requests.
  if (isAwaited && !restarted) return RUNNING
  const finished = last !== undefined && last.stopReason !== "toolUse" && saidText(last).trim().length > 0
  if (wait === "ok" || (!busy && (finished || status === "done"))) return { type: "done", text: answerText(messages) }
  if (busy) return RUNNING
  const unknown = session === undefined && messages.length === 0
  return unknown || restarted ? { type: "error", ...errorOf(LOST) } : RUNNING
}
