/** Where the gateway's events go. */
export interface EventSink {
  event(event: string, payload: object): void
}

export const KEY = "agent:main:main"

/** The events of one turn as the gateway sends them; `at` is gateway time. */
export class TurnFrames {
  private readonly socket: () => EventSink
  private readonly runId: string
  private readonly at: number
  private seq = 0

  constructor(socket: () => EventSink, runId: string, at = 10_000) {
    this.socket = socket
    this.runId = runId
    this.at = at
  }

  agent(stream: string, data: object): void {
    this.socket().event("agent", { runId: this.runId, sessionKey: KEY, stream, data, seq: ++this.seq, ts: this.at })
  }

  chat(state: string, more: object = {}): void {
    this.socket().event("chat", { runId: this.runId, sessionKey: KEY, state, seq: this.seq, ...more })
  }

  start(): void {
    this.agent("lifecycle", { phase: "start", startedAt: this.at })
  }

  text(text: string, delta = text.slice(-1)): void {
    this.agent("assistant", { text, delta })
  }

  delta(text: string): void {
    this.chat("delta", { message: { role: "assistant", content: [{ type: "text", text }], timestamp: this.at } })
  }

  tool(phase: "start" | "update" | "result", toolCallId: string, more: object = {}): void {
    this.agent("tool", { phase, name: "exec", toolCallId, ...more })
  }

  final(text: string | null): void {
    const message = { role: "assistant", content: [{ type: "text", text }], timestamp: this.at + 100 }
    this.chat("final", text === null ? {} : { message })
  }

  aborted(text: string | null): void {
    const message = { role: "assistant", content: [{ type: "text", text }], timestamp: this.at + 100 }
    this.chat("aborted", { stopReason: "rpc", ...(text === null ? {} : { message }) })
  }
}

let lastId = 0

export const user = (text: string, at: number, runId?: string, id = `m${++lastId}`): object => ({
  role: "user",
  content: runId === undefined ? [{ type: "text", text }] : text,
  timestamp: at,
  ...(runId === undefined ? {} : { idempotencyKey: `${runId}:user` }),
  __openclaw: { id }
})

export const assistant = (parts: ReadonlyArray<object>, at: number, runId?: string, more: object = {}): object => ({
  role: "assistant",
  content: parts,
  timestamp: at,
  stopReason: "stop",
  provider: "mock",
  model: "mock-fast",
  __openclaw: { id: `m${++lastId}`, ...(runId === undefined ? {} : { runId }) },
  ...more
})

export const said = (text: string): object => ({ type: "text", text })

export const call = (id: string, args: object = {}): object => ({ type: "toolCall", id, name: "exec", arguments: args })

export const toolResult = (toolCallId: string, text: string, at: number, runId?: string): object => ({
  role: "toolResult",
  toolCallId,
  toolName: "exec",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: at,
  __openclaw: { id: `m${++lastId}`, ...(runId === undefined ? {} : { runId }) }
})
