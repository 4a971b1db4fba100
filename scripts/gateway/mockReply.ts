import { type Orders, ordersIn, type ToolOrder } from "./mockOrders.ts"

/** What the gateway sends the model, as far as an answer depends on it. */
export interface ModelRequest {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content?: unknown }>
  /** Names of the tools the model may call. */
  readonly tools: ReadonlyArray<string>
}

/** What the model answers, and how fast. */
export interface ModelReply {
  /** HTTP status of a failure. */
  readonly error?: number
  readonly think: string
  readonly text: string
  readonly tool?: ToolOrder
  readonly delayMs: number
  readonly pieces: number
  /** Stays silent after the first piece. */
  readonly hang: boolean
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number }
}

const DEFAULT_DELAY_MS = 5
const DEFAULT_PIECES = 8
/** A tool's result is repeated up to here. */
const RESULT_LENGTH = 400

/** A tool that the request doesn't list is called through this one, where there is one. */
const CALLS_OTHERS = "tool_call"

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part) => (typeof part === "string" ? part : String(part?.text ?? ""))).join("")
}

const TIME = /^\[[^\]\n]*\d{4}-\d{2}-\d{2}[^\]\n]*\]\s*/
const CONTEXT = /<<<BEGIN_[A-Z_]+>>>[\s\S]*?<<<END_[A-Z_]+>>>/g
/** Blocks such as "Sender (untrusted metadata):" with their JSON. */
const METADATA = /^(?:[^\n`]*\n```json\n[\s\S]*?\n```\s*)+/
const RUNTIME = /\n\nRuntime: agent=[^\n]*$/

/** What a person typed, without what gateways put around it. */
export const typedIn = (content: unknown): string => {
  const inner = textOf(content).replace(CONTEXT, "").trim().replace(TIME, "").replace(METADATA, "").replace(TIME, "")
  return inner.replace(RUNTIME, "").trim()
}

const numberIn = ({ values }: Orders, name: string): number | undefined => {
  const value = values.get(name)
  return value === undefined || value === "" || Number.isNaN(Number(value)) ? undefined : Number(value)
}

const callOf = (tool: ToolOrder, listed: ReadonlyArray<string>): ToolOrder =>
  listed.includes(tool.name) || !listed.includes(CALLS_OTHERS)
    ? tool
    : { name: CALLS_OTHERS, args: { id: tool.name, args: tool.args } }

/** What the model says once it has called every tool it was told to. */
const finalText = (orders: Orders, results: ReadonlyArray<string>): string => {
  const told = orders.values.get("text")?.replaceAll("\\n", "\n")
  const last = results.at(-1)
  const text = told ?? (last === undefined ? `echo: ${orders.plain}` : `tool said: ${last.slice(0, RESULT_LENGTH)}`)
  return text.repeat(numberIn(orders, "repeat") ?? 1)
}

/** The answer to a request: by the orders in what was typed last, or its echo. */
export const replyTo = ({ messages, tools }: ModelRequest): ModelReply => {
  const lastAt = messages.findLastIndex(({ role, content }) => role === "user" && typedIn(content) !== "")
  const orders = ordersIn(lastAt === -1 ? "" : typedIn(messages[lastAt]?.content))
  const results = messages
    .slice(lastAt + 1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => textOf(content))
  const tool = orders.tools[results.length]
  const text = tool === undefined ? finalText(orders, results) : (orders.values.get("before") ?? "")
  const [input, output, cached] = (orders.values.get("usage") ?? "").split(",").map(Number)
  const error = numberIn(orders, "error")
  return {
    ...(error === undefined ? {} : { error }),
    think: tool === undefined ? (orders.values.get("think") ?? "") : "",
    text,
    ...(tool === undefined ? {} : { tool: callOf(tool, tools) }),
    delayMs: numberIn(orders, "delay") ?? DEFAULT_DELAY_MS,
    pieces: numberIn(orders, "chunks") ?? DEFAULT_PIECES,
    hang: orders.values.has("hang"),
    usage: {
      input: input || Math.ceil(JSON.stringify(messages).length / 4),
      output: output || Math.max(1, Math.ceil(text.length / 4)),
      cached: cached || 0
    }
  }
}

/** A text in about that many pieces. */
export const piecesOf = (text: string, count: number): ReadonlyArray<string> => {
  const size = Math.max(1, Math.ceil(text.length / Math.max(1, count)))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size)
  )
}
