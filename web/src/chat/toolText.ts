import { fieldsOf, parseJson } from "../../../src/contract/looseFields.ts"
import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import type { ToolItem } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"

/** Argument names that best describe what a tool works on, the most telling first. */
const TARGET_NAMES = [
  "command",
  "cmd",
  "path",
  "file_path",
  "filePath",
  "file",
  "query",
  "pattern",
  "url",
  "task",
  "id"
]
const MAX_TARGET = 140

/** The first question in a call of the question tool. */
const askedText = (questions: unknown): unknown => (Array.isArray(questions) ? fieldsOf(questions[0]).question : null)

/** What a tool call works on, in one line: the most telling text argument; empty if there is none. */
export const toolTarget = (args: unknown): string => {
  const record = fieldsOf(args)
  const named = TARGET_NAMES.map((name) => record[name])
  const text = [...named, askedText(record.questions), ...Object.values(record)].find(
    (value) => typeof value === "string" && value.trim() !== ""
  )
  if (typeof text !== "string") return ""
  const line = text.trim().split("\n", 1)[0] ?? ""
  return line.length > MAX_TARGET ? `${line.slice(0, MAX_TARGET)}…` : line
}

const STATES: Readonly<Record<ToolItem["status"], WorkState>> = {
  running: "working",
  done: "done",
  denied: "denied",
  error: "failed",
  aborted: "stopped"
}

/** What a running agent waits for: a person, or as far as this page knows the connection. */
export type WaitsFor = "person" | "link" | null

/** What a tool call waits for; one that asks people waits for them. */
export const toolWaits = ({ name, status }: Pick<ToolItem, "name" | "status">, waits: WaitsFor): WaitsFor =>
  status !== "running" ? null : (waits ?? (name === "ask_user" ? "person" : null))

/** The state of a tool call, given what it waits for. */
export const toolState = ({ status }: Pick<ToolItem, "status">, waits: WaitsFor): WorkState =>
  waits === null ? STATES[status] : "waiting"

/** The same in words. */
export const toolStatus = (item: Pick<ToolItem, "status">, waits: WaitsFor): string =>
  waits === "link" ? say("Connection lost") : STATE_WORDS[toolState(item, waits)]

/** The answer in the result of a call of the question tool. */
const answerIn = (output: string): string => {
  const result = fieldsOf(parseJson(output.slice(output.indexOf("{"))))
  const details = fieldsOf(fieldsOf(result.result).details ?? result)
  if (details.status === "no_answer") return say("no answer")
  const values = Object.values(fieldsOf(fieldsOf(details.answers).answers)).flat()
  return values.filter((value) => typeof value === "string").join(", ")
}

/** A tool call in one line: what it works on, and for a question the answer. */
export const toolLine = ({
  name,
  title,
  args,
  output
}: Pick<ToolItem, "name" | "title" | "args" | "output">): string => {
  const target = title ?? toolTarget(args)
  const answer = name === "ask_user" ? answerIn(output) : ""
  return answer === "" ? target : `${target} → ${answer}`
}

/** Arguments in readable form: indented JSON, texts as they are; empty if there are none. */
export const argumentsText = (args: unknown): string => {
  if (args === null || args === undefined) return ""
  if (typeof args === "string") return args
  if (typeof args === "object" && Object.keys(args).length === 0) return ""
  return JSON.stringify(args, null, 2)
}
