import { closeRefusal, connectRefusal, type Refusal, UNAPPROVED } from "./connectRefusal.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, parseJson, recordOf, textOf } from "./decode.ts"
import type { Environment, Socket } from "./Environment.ts"
import { GatewayCallError, refusedCall } from "./GatewayCallError.ts"
import { Observable } from "./Observable.ts"
import type { GatewayEventFrame, GatewayHello, GatewayLink, LinkPhase, LinkState } from "./types.ts"

const BASE_DELAY = 1_000
const MAX_DELAY = 30_000
const MAX_ATTEMPTS = 50
/** Fast retries of a starting gateway before the ordinary back-off takes over. */
const MAX_FAST = 20
/** Opening, challenge and hello together. */
const CONNECT_LIMIT = 20_000
const CALL_LIMIT = 15_000
/** A link has to hold this long before its failures are forgotten. */
const STABLE_AFTER = 5_000

interface Call {
  readonly resolve: (payload: unknown) => void
  readonly reject: (reason: GatewayCallError) => void
  readonly timer: ReturnType<typeof setTimeout>
}

export interface GatewayLinkOptions {
  readonly env: Environment
  /** Whether the console's server wants a login first; asked after a connection that never opened. */
  readonly needsLogin: () => Promise<boolean>
  readonly clientVersion: string
}

/** Milliseconds before attempt `n` (from 1): 1 s doubling to 30 s, with up to a fifth added so that tabs spread out. */
export const retryDelay = (n: number, random: number): number =>
  Math.min(MAX_DELAY, Math.min(MAX_DELAY, BASE_DELAY * 2 ** (n - 1)) * (1 + random / 5))

function decodeHello(payload: Fields): GatewayHello {
  const policy = fieldsOf(payload.policy)
  const scopes = listOf(fieldsOf(payload.auth).scopes).filter((scope) => typeof scope === "string")
  return {
    protocol: numberOf(payload.protocol) ?? 3,
    serverVersion: textOf(fieldsOf(payload.server).version) ?? "",
    methods: new Set(listOf(fieldsOf(payload.features).methods).filter((name) => typeof name === "string")),
    scopes: recordOf(payload.auth) === null ? null : scopes,
    mainSessionKey:
      filledText(fieldsOf(fieldsOf(payload.snapshot).sessionDefaults).mainSessionKey) ?? "agent:main:main",
    tickIntervalMs: Math.max(1_000, numberOf(policy.tickIntervalMs) ?? 30_000),
    maxPayload: numberOf(policy.maxPayload) ?? 26_214_400
  }
}

/** The browser's connection to the gateway through the server's `/ws` (SPEC "Gateway link", "WebSocket proxy"). */
export function createGatewayLink({ env, needsLogin, clientVersion }: GatewayLinkOptions): GatewayLink {
  const state = new Observable<LinkState>({ phase: "closed", attempt: 0, nextAttemptAt: null, message: null })
  const hello = new Observable<GatewayHello | null>(null)
  const listeners = new Set<(frame: GatewayEventFrame) => void>()
  const gapListeners = new Set<() => void>()
  const calls = new Map<string, Call>()

  /** Every callback of a socket or timer compares its own number with this one: an old socket has no say. */
  let generation = 0
  let socket: Socket | null = null
  let attempt = 0
  let lastId = 0
  let lastHeard = 0
  let lastSeq: number | null = null
  let connectId: string | null = null
  let refusal: Refusal | null = null
  let token: string | null = null
  let timers: Array<ReturnType<typeof setTimeout>> = []
  let disposed = false

  const publish = (phase: LinkPhase, message: string | null = null, nextAttemptAt: number | null = null) =>
    state.set({ phase, attempt: phase === "ready" ? 0 : attempt, nextAttemptAt, message })

  const later = (ms: number, action: () => void) => {
    const mine = generation
    timers.push(
      setTimeout(() => {
        if (mine === generation) action()
      }, ms)
    )
  }

  /** Ends the present socket, its timers and its calls; nothing of it is heard again. */
  function leave(): void {
    generation++
    for (const timer of timers) clearTimeout(timer)
    timers = []
    const old = socket
    socket = null
    connectId = null
    try {
      old?.close(1000)
    } catch {
      // A socket that cannot be closed any more is closed.
    }
    const waiting = [...calls.values()]
    calls.clear()
    hello.set(null)
    for (const call of waiting) {
      clearTimeout(call.timer)
      call.reject(new GatewayCallError("disconnected", "The connection broke before the gateway answered."))
    }
  }

  function open(): void {
    if (disposed) return
    leave()
    const mine = generation
    refusal = null
    lastSeq = null
    attempt++
    publish("connecting", attempt === 1 ? null : state.get().message)
    later(CONNECT_LIMIT, () => lost("The gateway does not answer.", null))
    try {
      socket = env.openSocket(`${env.origin.replace(/^http/, "ws")}/ws`, {
        onMessage: (text) => {
          if (mine === generation) hear(text)
        },
        onClose: (code, reason) => {
          if (mine !== generation) return
          const why = refusal ?? closeRefusal(code, reason)
          lost(hello.get() === null ? "The gateway cannot be reached." : "The connection to the gateway broke.", why)
        }
      })
    } catch {
      lost("This browser could not open a connection.", null)
    }
  }

  function lost(message: string, why: Refusal | null) {
    const opened = hello.get() !== null || connectId !== null
    leave()
    if (why?.action === "stop") return publish("refused", why.message)
    if (attempt >= MAX_ATTEMPTS)
      return publish("gaveUp", `${why?.message ?? message} Tried ${MAX_ATTEMPTS} times without success.`)
    const fast = why?.retryAfterMs ?? null
    const delay = fast !== null && attempt <= MAX_FAST ? fast : retryDelay(Math.max(1, attempt), env.random())
    publish("waiting", why?.message ?? message, env.now() + delay)
    later(delay, open)
    if (!opened) askForLogin()
  }

  /** A refused upgrade looks like any broken connection, so the server is asked whether it wants a login. */
  function askForLogin(): void {
    const mine = generation
    needsLogin().then(
      (needed) => {
        if (!needed || mine !== generation) return
        leave()
        publish("unauthorized", "Please sign in.")
      },
      () => {}
    )
  }

  function hear(text: string) {
    lastHeard = env.now()
    const frame = recordOf(parseJson(text))
    if (frame === null) return
    if (frame.type === "res") return answer(frame)
    const event = textOf(frame.event)
    if (frame.type !== "event" || event === null) return
    if (event === "connect.challenge") return greet()
    const seq = numberOf(frame.seq)
    const jumped = seq !== null && lastSeq !== null && seq !== lastSeq + 1
    if (seq !== null) lastSeq = seq
    for (const listener of [...listeners]) listener({ event, payload: frame.payload, seq })
    if (jumped) for (const listener of [...gapListeners]) listener()
  }

  function greet(): void {
    if (connectId !== null || socket === null) return
    connectId = `connect-${generation}`
    write({
      type: "req",
      id: connectId,
      method: "connect",
      params: {
        minProtocol: 3,
        maxProtocol: 4,
        client: { id: "gateway-client", version: clientVersion, platform: "web", mode: "ui" },
        role: "operator",
        scopes: ["operator.admin", "operator.read", "operator.write"],
        caps: ["tool-events"],
        ...(token === null ? {} : { auth: { token } })
      }
    })
  }

  function answer(frame: Fields) {
    const id = textOf(frame.id)
    if (id === null) return
    if (id === connectId && hello.get() === null) {
      const greeting = frame.ok === true ? decodeHello(fieldsOf(frame.payload)) : null
      if (greeting !== null && greeting.scopes?.length !== 0) return welcome(greeting)
      refusal = greeting === null ? connectRefusal(frame.error) : UNAPPROVED
      return lost(refusal.message, refusal)
    }
    const call = calls.get(id)
    if (call === undefined) return
    calls.delete(id)
    clearTimeout(call.timer)
    if (frame.ok === true) call.resolve(frame.payload)
    else call.reject(refusedCall(frame.error))
  }

  function welcome(greeting: GatewayHello): void {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    later(STABLE_AFTER, () => {
      attempt = 0
    })
    watch(greeting.tickIntervalMs)
    publish("ready")
    hello.set(greeting)
  }

  /** The gateway ticks at a known interval; twice that time of silence is a dead link. */
  function watch(interval: number): void {
    later(interval / 2, () => {
      if (env.now() - lastHeard <= 2 * interval) return watch(interval)
      attempt = 0
      leave()
      open()
    })
  }

  function write(frame: object): void {
    try {
      socket?.send(JSON.stringify(frame))
    } catch {
      // The close callback of the same socket follows and says so.
    }
  }

  function request(method: string, params: object, options: { readonly timeoutMs?: number } = {}): Promise<unknown> {
    const greeting = hello.get()
    if (greeting === null)
      return Promise.reject(new GatewayCallError("offline", "There is no connection to the gateway right now."))
    const id = `${generation}.${++lastId}`
    const text = JSON.stringify({ type: "req", id, method, params })
    if (text.length > greeting.maxPayload)
      return Promise.reject(new GatewayCallError("tooLarge", "This is larger than the gateway accepts."))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        calls.delete(id)
        reject(new GatewayCallError("timeout", "The gateway did not answer in time."))
      }, options.timeoutMs ?? CALL_LIMIT)
      calls.set(id, { resolve, reject, timer })
      try {
        socket?.send(text)
      } catch {
        // The close callback of the same socket rejects the call.
      }
    })
  }

  const stopWaking = env.onWake(() => {
    const { phase } = state.get()
    if (phase === "waiting") open()
    const greeting = hello.get()
    if (phase === "ready" && greeting !== null && env.now() - lastHeard > 2 * greeting.tickIntervalMs) open()
  })

  return {
    state,
    hello,
    request,
    onEvent: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onGap: (listener) => {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },
    connect: () => {
      const { phase } = state.get()
      if (phase === "closed") open()
    },
    retryNow: () => {
      if (state.get().phase === "ready") return
      attempt = 0
      open()
    },
    setToken: (next) => {
      token = next
    },
    close: () => {
      leave()
      attempt = 0
      publish("closed")
    },
    dispose: () => {
      leave()
      disposed = true
      stopWaking()
      listeners.clear()
      gapListeners.clear()
      publish("closed")
    }
  }
}
