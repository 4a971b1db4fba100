import { Effect } from "effect"
import { type DemoStep, tokensOf } from "../demo/steps.ts"
import type { Generation } from "../Generation.ts"
import { type AssistantMessage, type Message, NO_USAGE, type Part, type Usage } from "../sessions/messages.ts"
import { modelOf, type Session, type SessionStore } from "../sessions/SessionStore.ts"
import type { ToolCall, ToolResult, Turn, TurnEvents } from "./TurnEvents.ts"

/** What a turn needs to write its answer. */
export interface TurnWriterOptions {
  readonly generation: Generation
  readonly store: SessionStore
  readonly events: TurnEvents
  readonly now: () => number
  readonly newId: () => string
  /** Milliseconds between two streamed tokens; 0 streams as fast as possible. */
  readonly tokenMs: number
}

const CHARS_PER_TOKEN = 4
const PROMPT_TOKENS = 1_200

/** Tokens and cost of an answer: the whole conversation goes in, `output` tokens come out. */
const usageOf = (session: Session, output: number): Usage => {
  const { price } = modelOf(session)
  const said = session.messages.reduce((sum, message) => sum + ("text" in message ? message.text.length : 80), 0)
  const input = PROMPT_TOKENS + Math.round(said / CHARS_PER_TOKEN)
  const cost = { input: (input * price.input) / 1e6, output: (output * price.output) / 1e6 }
  return {
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: input + output,
    cost: { ...cost, cacheRead: 0, cacheWrite: 0, total: cost.input + cost.output }
  }
}

/** Streams a turn's steps and stores their results. */
export const makeTurnWriter = (turn: Turn, options: TurnWriterOptions) => {
  const { events, generation, newId, now, store } = options
  const { session } = turn
  let parts: Array<Part> = []
  let outputTokens = 0
  /** The current text and the running tool. */
  let current = ""
  let openCall: ToolCall | undefined

  const keepAnswer = (answer: Omit<AssistantMessage, "id" | "seq">): AssistantMessage => {
    const message: AssistantMessage = { ...answer, ...store.stamp(session) }
    store.append(session, message)
    return message
  }

  const draft = (content: ReadonlyArray<Part>, stopReason: AssistantMessage["stopReason"], usage: Usage) => {
    const model = modelOf(session)
    return {
      role: "assistant" as const,
      parts: content,
      provider: model.provider,
      model: model.id,
      usage,
      stopReason,
      timestamp: now(),
      runId: turn.runId
    }
  }

  const pause = (ms: number) => (ms > 0 ? Effect.sleep(ms) : Effect.void)

  /** Streams thinking. */
  const think = Effect.fnUntraced(function* (text: string) {
    let sentLength = 0
    let sentAt = Number.NEGATIVE_INFINITY
    let soFar = ""
    const send = () => {
      events.thinking(turn, soFar, soFar.slice(sentLength))
      sentLength = soFar.length
      sentAt = now()
    }
    for (const token of tokensOf(text)) {
      yield* pause(options.tokenMs)
      soFar += token
      if (now() - sentAt >= generation.deltaIntervalMs) send()
    }
    if (sentLength < soFar.length) send()
    parts.push({ type: "thinking", thinking: text })
  })

  /** Streams text: assistant events and `chat` deltas at the pace of the generation. */
  const speak = Effect.fnUntraced(function* (step: Extract<DemoStep, { type: "text" }>) {
    const before = turn.shown === "" ? "" : `${turn.shown}${generation.betweenTexts}`
    const tokenMs = options.tokenMs === 0 ? 0 : (step.tokenMs ?? options.tokenMs)
    turn.part = ""
    turn.partNumber += 1
    let sentLength = 0
    let sentAt = Number.NEGATIVE_INFINITY
    let deltaAt = Number.NEGATIVE_INFINITY
    const send = () => {
      events.assistant(turn, turn.part, turn.part.slice(sentLength))
      sentLength = turn.part.length
      sentAt = now()
    }
    for (const token of tokensOf(step.text)) {
      yield* pause(tokenMs)
      turn.part += token
      current = turn.part
      turn.shown = before + turn.part
      outputTokens += 1
      if (now() - sentAt >= generation.assistantIntervalMs) send()
      if (now() - deltaAt >= generation.deltaIntervalMs) {
        events.delta(turn)
        deltaAt = now()
      }
    }
    if (sentLength < turn.part.length) send()
    parts.push({ type: "text", text: step.text })
    current = ""
  })

  /** Sends a file with the latest text. */
  const attach = ({ type, ...file }: Extract<DemoStep, { type: "media" }>) =>
    Effect.sync(() => {
      parts.push({ ...file, type, id: newId(), sessionKey: session.key, isServed: false })
      events.media(turn, [file.path])
    })

  /** Sends text or a file. */
  const say = (step: Extract<DemoStep, { type: "text" | "media" }>): Effect.Effect<void> =>
    step.type === "text" ? speak(step) : attach(step)

  /** Stores the text since the last message, counts its usage and announces it. */
  const storeAnswer = (stopReason: "stop" | "toolUse"): AssistantMessage => {
    const usage = usageOf(session, Math.max(1, outputTokens))
    const message = keepAnswer(draft(parts, stopReason, usage))
    parts = []
    outputTokens = 0
    session.inputTokens = usage.input
    session.outputTokens = usage.output
    session.totalTokens = usage.totalTokens
    session.estimatedCostUsd += usage.cost.total
    events.stored(turn, message)
    return message
  }

  /** Stores an assistant message that calls a tool. */
  const storeCall = (call: ToolCall) => {
    if (generation.splitsCalls && parts.some((part) => part.type === "text")) storeAnswer("toolUse")
    parts.push({ type: "toolCall", id: call.id, name: call.name, arguments: call.args })
    storeAnswer("toolUse")
  }

  /** Stores a tool's result. */
  const storeResult = (call: ToolCall, result: ToolResult): Message => {
    const message: Message = {
      ...store.stamp(session),
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      text: result.text,
      isError: result.isError,
      timestamp: now(),
      runId: turn.runId
    }
    store.append(session, message)
    return message
  }

  /** Stores the call, tells about it and of what it does meanwhile, lets it work for a while and stores its result. */
  const callTool = Effect.fnUntraced(function* (
    call: ToolCall,
    work: Effect.Effect<ToolResult>,
    { runMs, tellsMeanwhile }: { readonly runMs: number; readonly tellsMeanwhile: boolean }
  ) {
    storeCall(call)
    events.toolStarted(turn, call)
    openCall = call
    const result = yield* work
    yield* pause(options.tokenMs === 0 ? 0 : runMs)
    openCall = undefined
    if (tellsMeanwhile) events.toolUpdated(turn, call, result)
    events.toolEnded(turn, call, result, now())
    storeResult(call, result)
    events.modelStarted(turn)
  })

  /** Stores the message of a failed turn. */
  const storeFailure = (error: string): AssistantMessage =>
    keepAnswer({
      ...draft(generation.writesFailures ? [{ type: "text", text: `⚠️ ${error}` }] : [], "error", NO_USAGE),
      errorMessage: error
    })

  /**
   * Stores a note of all an aborted turn had said. `keepsAborted` adds the last of it as the model's own message, and a
   * stopped tool as one that went well.
   */
  const storeAborted = (): ReadonlyArray<Message> => {
    const stored: Array<Message> = []
    const usual = draft([], "aborted", NO_USAGE)
    if (turn.shown !== "") {
      const said = [{ type: "text", text: turn.shown } as const]
      const injected = { provider: "openclaw", model: "gateway-injected", stopReason: "stop", origin: "abort" } as const
      stored.push(keepAnswer({ ...usual, ...injected, parts: said }))
    }
    if (!generation.keepsAborted || (turn.shown === "" && openCall === undefined)) return stored
    if (openCall !== undefined)
      stored.push(storeResult(openCall, { text: "Command aborted by signal SIGTERM", details: {}, isError: false }))
    const last = current === "" ? parts : [...parts, { type: "text", text: current } as const]
    return [...stored, keepAnswer({ ...usual, parts: last, errorMessage: "Request was aborted" })]
  }

  return { think, say, callTool, storeCall, storeResult, storeAnswer, storeFailure, storeAborted }
}

export type TurnWriter = ReturnType<typeof makeTurnWriter>
