import { saidText } from "../gateway/feed/feedMessage.ts"
import type { ResponseMessage } from "../gateway/feed/responseEnd.ts"

/**
 * A command that an agent asked permission for. An older gateway goes on without it: the agent's turn ends while it
 * waits, and what became of it is said to the agent in a turn of its own.
 */
export interface AskedCommand {
  readonly id: string
  readonly command: string
  readonly outcome: "open" | "finished" | "denied" | "expired"
}

const ASKED = /^Approval required \(id [^,\n]+, full ([\w-]+)\)\.$/m
const COMMAND = /^Command:\n(`{3,})sh\n([\s\S]*?)\n\1$/m
const FOLLOW_UP = /An async command the user already approved has completed\./
const OUTCOME = /^Exec (finished|denied) \((?:gateway |node=\S+ )id=([\w-]+)(?:, ([^)\n]*))?/m

/** Whether this tells the agent what became of a command: no person wrote it. */
export const isFollowUp = (message: ResponseMessage): boolean =>
  message.role === "user" && FOLLOW_UP.test(saidText(message))

/** The gateway calls denied, too, what was allowed and couldn't be started. */
const outcomeFor = (reason: string): AskedCommand["outcome"] =>
  reason.startsWith("approval-timeout") ? "expired" : reason === "spawn-failed" ? "finished" : "denied"

/** The commands that the agent asked permission for, in their order. */
export const askedCommands = (messages: ReadonlyArray<ResponseMessage>): ReadonlyArray<AskedCommand> => {
  const asked = new Map<string, AskedCommand>()
  for (const message of messages) {
    const text = saidText(message)
    const id = message.role === "toolResult" ? ASKED.exec(text)?.[1] : undefined
    if (id !== undefined) asked.set(id, { id, command: COMMAND.exec(text)?.[2] ?? "", outcome: "open" })
    const [, word, told = "", reason = ""] = isFollowUp(message) ? (OUTCOME.exec(text) ?? []) : []
    const known = asked.get(told)
    if (known === undefined) continue
    asked.set(told, { ...known, outcome: word === "denied" ? outcomeFor(reason) : "finished" })
  }
  return [...asked.values()]
}

/** Whether the agent has yet to hear, or to say something about, what became of a command. */
export const isAwaited = (messages: ReadonlyArray<ResponseMessage>): boolean => {
  if (askedCommands(messages).some(({ outcome }) => outcome === "open")) return true
  const told = messages.findLastIndex(isFollowUp)
  const since = messages.slice(told + 1)
  return told >= 0 && !since.some(({ role, stopReason }) => role === "assistant" && stopReason !== "toolUse")
}

const MAX_COMMAND = 200

const short = (command: string): string =>
  command.length <= MAX_COMMAND ? command : `${command.slice(0, MAX_COMMAND - 1).toWellFormed()}…`

/** What the card says about commands that weren't run; `undefined` if there are none. */
export const notRun = (commands: ReadonlyArray<AskedCommand>): string | undefined => {
  const sentences = commands.flatMap(({ command, outcome }) => {
    if (outcome === "denied") return [`The command “${short(command)}” wasn't allowed.`]
    return outcome === "expired" ? [`Nobody allowed the command “${short(command)}” in time.`] : []
  })
  return sentences.length === 0 ? undefined : sentences.join("\n")
}
