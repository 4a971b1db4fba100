import { type Fields, fieldsOf, textOf } from "../../../../src/contract/looseFields.ts"
import type { OutboxItem } from "../../../../src/contract/schema/outbox.ts"
import { nextStep } from "../../../../src/services/outbox/outboxRules.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type {
  ApiClient,
  ApiFailureKind,
  ApiResult,
  EventListener,
  EventStream
} from "../../../src/core/link/apiTypes.ts"
import { asAnswer } from "./asAnswer.ts"

/** The gateway as the console sees it. */
export interface DoubleGateway {
  /** Null without a connection. */
  readonly protocol: () => number | null
  /** Null if the connection ended before the answer; otherwise the whole response. */
  readonly call: (method: string, params: Fields) => Promise<Fields | null>
}

interface Stored extends OutboxItem {
  readonly data: ReadonlyArray<Fields>
}

/** What a route answers: a body, or why not. */
interface Answer {
  readonly body?: unknown
  readonly error?: ApiFailureKind
  readonly status?: number
}

type Change = Partial<Pick<Stored, "text" | "mode" | "state" | "error" | "runId">>

const AFTER_FAILURE = "Not sent because the previous response failed."

/**
 * The console's outbox in memory, behind its routes and its event, with the console's own rules for what goes when: the
 * page's part is tested with it. The outbox itself is tested with real gateways and processes.
 */
export class ConsoleDouble {
  items: ReadonlyArray<Stored> = []
  readonly connected = createObservable(true)
  /** Requests fail while this is set, as without the console. */
  isAway = false
  /** While this is set, requests are carried out but get no response. */
  losesAnswers = false
  /** While this is set, every response requests this delay in milliseconds, as after too many requests. */
  retryAfterMs: number | null = null
  /** Answers are on their way until this is done. */
  wire: Promise<void> | null = null
  /** Events are lost while this is set. */
  isDeaf = false
  /** What it says to every new message. */
  refusal: { readonly error: ApiFailureKind; readonly status: number; readonly message: string } | null = null
  readonly requests: Array<string> = []
  private readonly gateway: DoubleGateway
  private readonly done = new Set<string>()
  private readonly running = new Map<string, string>()
  private readonly listeners = new Set<EventListener>()

  constructor(gateway: DoubleGateway) {
    this.gateway = gateway
  }

  readonly events: Pick<EventStream, "connected" | "on"> = {
    connected: this.connected,
    on: (event, listener) => {
      if (event === "outbox.changed") this.listeners.add(listener)
      return () => this.listeners.delete(listener)
    }
  }

  readonly api: Pick<ApiClient, "request"> = {
    request: async (method, path, decode, options) => {
      await Promise.resolve()
      this.requests.push(`${method} ${path}`)
      if (this.isAway) return this.fail("offline", 0, "The console is away.")
      if (this.retryAfterMs !== null) return this.fail("rate_limited", 429, "Too many requests.")
      if (this.refusal !== null && method === "POST")
        return this.fail(this.refusal.error, this.refusal.status, this.refusal.message)
      const answer = this.answer(method, new URL(path, "http://console.test"), fieldsOf(options?.body))
      if (this.wire !== null) await this.wire
      if (answer.error !== undefined) return this.fail(answer.error, answer.status ?? 0, "No.")
      if (this.losesAnswers) return this.fail("timeout", 0, "The console's answer was lost.")
      const value = decode(JSON.parse(JSON.stringify(answer.body)))
      return value === null ? this.fail("shape", 200, "Unusable.") : { ok: true, value }
    }
  }

  /** An event of the gateway. */
  hear(event: string, payload: Fields): void {
    const run = textOf(payload.runId)
    const session = textOf(payload.sessionKey)
    if (run === null || session === null || (event !== "chat" && event !== "agent")) return
    const isEnd = event === "chat" && ["final", "aborted", "error"].includes(textOf(payload.state) ?? "")
    if (!isEnd) {
      if (!this.done.has(run)) this.running.set(run, session)
      return
    }
    this.running.delete(run)
    this.running.delete(`listed ${session}`)
    const own = this.items.find(({ runId, state }) => runId === run && (state === "handed" || state === "sending"))
    const isBusy = [...this.running.values()].includes(session)
    // Without words it waits for the running response.
    if (own !== undefined && (payload.state !== "final" || payload.message !== undefined || !isBusy)) this.end(own.id)
    if (own !== undefined && payload.state === "error")
      for (const { id, sessionKey, state } of this.items)
        if (sessionKey === session && state === "waiting") this.set(id, { state: "failed", error: AFTER_FAILURE })
    this.done.add(run)
    // The console waits for the reason of a stop.
    setTimeout(() => this.pump(session), payload.state === "aborted" ? 5 : 0)
  }

  /** The connection to the gateway is back. */
  async linked(): Promise<void> {
    for (const { id, sessionKey, state, text } of this.items) {
      if (state !== "sending") continue
      const answer = await this.gateway.call("chat.history", { sessionKey })
      if (answer === null) return
      const messages = JSON.stringify(fieldsOf(answer.payload).messages ?? [])
      if (messages.includes(JSON.stringify(text))) this.end(id)
      else this.set(id, { state: "waiting" })
    }
    for (const session of new Set(this.items.map(({ sessionKey }) => sessionKey))) {
      const history = await this.gateway.call("chat.history", { sessionKey: session })
      const isBusy = fieldsOf(fieldsOf(history?.payload).sessionInfo).hasActiveRun === true
      for (const [run, key] of this.running) if (key === session) this.running.delete(run)
      // A gateway takes a response up again under another run: the next end that is heard is its end.
      if (isBusy) this.running.set(`listed ${session}`, session)
      this.pump(session)
    }
  }

  /** The console finds out that a message wasn't read after all. */
  giveBack(id: string, error: string): void {
    this.set(id, { state: "failed", error })
  }

  private fail(kind: ApiFailureKind, status: number, message: string): ApiResult<never> {
    return { ok: false, error: { kind, status, message, retryAfterMs: this.retryAfterMs, body: null } }
  }

  private answer(method: string, { pathname, searchParams }: URL, body: Fields): Answer {
    const id = decodeURIComponent(pathname.split("/")[3] ?? "")
    const found = this.items.find((item) => item.id === id)
    if (method === "GET") {
      const keys = new Set(this.items.map(({ sessionKey }) => sessionKey))
      const wanted = searchParams.get("sessionKey")
      const lists = [...keys].filter((key) => wanted === null || key === wanted).map((key) => this.listOf(key))
      return { body: { items: lists.flat() } }
    }
    if (method === "POST" && id === "") return { body: this.take(body) }
    if (found === undefined) return { error: "not_found", status: 404 }
    if (found.state === "sending" || found.state === "handed") return { error: "conflict", status: 409 }
    if (method === "DELETE") this.end(id)
    else if (method === "PATCH") this.change(found, body)
    else if (body.action === "again")
      this.set(id, { state: "waiting", runId: found.state === "failed" ? `${found.runId}-again` : found.runId })
    else this.end(id)
    this.pump(found.sessionKey)
    return { body: this.items.find((item) => item.id === id) ?? { ok: true } }
  }

  private listOf(sessionKey: string): ReadonlyArray<OutboxItem> {
    const all = this.items.filter((item) => item.sessionKey === sessionKey)
    const isGone = ({ state }: Stored) => state === "sending" || state === "handed"
    return [...all.filter(isGone), ...all.filter((item) => !isGone(item))].map(({ data: _, ...item }, position) => ({
      ...item,
      position
    }))
  }

  private take(body: Fields): OutboxItem {
    const known = this.items.find(({ id }) => id === body.id)
    if (known !== undefined) return known
    const data = Array.isArray(body.attachments) ? body.attachments.map((file) => fieldsOf(file)) : []
    const item: Stored = {
      id: String(body.id),
      runId: String(body.id),
      gatewayId: "primary",
      sessionKey: String(body.sessionKey),
      text: String(body.text),
      mode: body.mode === "steer" || body.mode === "interrupt" ? body.mode : "next",
      ...(typeof body.notBefore === "number" ? { notBefore: body.notBefore } : {}),
      position: 0,
      createdAt: Date.now(),
      state: this.done.has(String(body.id)) ? "handed" : "waiting",
      attachments: data.map(({ name, type }) => ({ name: String(name), type: String(type), size: 1 })),
      data
    }
    if (item.state === "handed") return item
    this.items = [...this.items, item]
    this.changed(item.sessionKey)
    this.pump(item.sessionKey)
    return this.items.find(({ id }) => id === item.id) ?? item
  }

  private change(found: Stored, { position, notBefore, ...rest }: Fields): void {
    this.set(found.id, rest, rest.text !== undefined)
    if (typeof notBefore === "number" || notBefore === null)
      this.items = this.items.map((item) => {
        const { notBefore: _, ...plain } = item
        return item.id !== found.id ? item : notBefore === null ? plain : { ...plain, notBefore: Number(notBefore) }
      })
    if (typeof position !== "number") return
    const others = this.listOf(found.sessionKey).filter(({ id }) => id !== found.id)
    const order = others.toSpliced(position, 0, found).map(({ id }) => id)
    this.items = this.items.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  }

  private set(id: string, change: Change, hasNewWords = false): void {
    this.items = this.items.map((item) => {
      const { error: _, ...plain } = item
      return item.id === id ? { ...plain, ...change } : item
    })
    const found = this.items.find((item) => item.id === id)
    if (found !== undefined) this.changed(found.sessionKey, hasNewWords)
  }

  private end(id: string): void {
    const found = this.items.find((item) => item.id === id)
    this.items = this.items.filter((item) => item.id !== id)
    this.done.add(id)
    if (found !== undefined) this.changed(found.sessionKey)
  }

  private changed(sessionKey: string, hasNewWords = false): void {
    const standings = this.listOf(sessionKey).map(({ id, mode, notBefore, state, runId, error }) => ({
      id,
      mode,
      notBefore,
      state,
      runId,
      error
    }))
    const items = hasNewWords ? {} : { items: standings }
    if (this.isDeaf) return
    for (const listener of [...this.listeners])
      listener({
        event: "outbox.changed",
        data: asAnswer({ gatewayId: "primary", sessionKey, ...items }),
        ts: Date.now()
      })
  }

  private pump(sessionKey: string): void {
    const protocol = this.gateway.protocol()
    if (protocol === null) return
    const queue = this.items
      .filter((item) => item.sessionKey === sessionKey)
      .map(({ id, text, mode, notBefore, state, data }) => ({
        id,
        text,
        mode,
        notBefore,
        state,
        attachments: data.length
      }))
    const isBusy = [...this.running.values()].includes(sessionKey)
    const next = nextStep(queue, { isBusy, now: Date.now(), protocol })
    if (next.type === "stop") void this.gateway.call("chat.abort", { sessionKey })
    if (next.type === "send") void this.send(next.id, next.steer)
  }

  private async send(id: string, steer: boolean): Promise<void> {
    const found = this.items.find((item) => item.id === id)
    if (found === undefined) return
    const { data, runId, sessionKey, text } = found
    this.set(id, { state: "sending" })
    this.running.set(runId, sessionKey)
    const answer = await this.gateway.call("chat.send", {
      sessionKey,
      message: text,
      idempotencyKey: runId,
      ...(steer ? { queueMode: "steer" } : {}),
      ...(data.length === 0
        ? {}
        : {
            attachments: data.map(({ name, type, data: content }) => ({
              type: "image",
              fileName: name,
              mimeType: type,
              content
            }))
          })
    })
    if (answer === null) {
      this.running.delete(runId)
      return
    }
    if (answer.ok !== true) {
      this.running.delete(runId)
      this.set(id, { state: "failed", error: textOf(fieldsOf(answer.error).message) ?? "Refused." })
    } else if (!this.running.has(runId) || fieldsOf(answer.payload).status === "ok") {
      this.running.delete(runId)
      this.end(id)
    } else {
      this.set(id, { state: "handed" })
    }
    this.pump(sessionKey)
  }
}
