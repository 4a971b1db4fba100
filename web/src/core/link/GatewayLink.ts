import { closeFailure, type Refusal } from "../../../../src/contract/gatewayCodes.ts"
import { type Fields, fieldsOf, numberOf, parseJson, recordOf, textOf } from "../../../../src/contract/looseFields.ts"
import { createObservable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import { decodeHello } from "./decodeHello.ts"
import type { Environment, Socket } from "./Environment.ts"
import { ownFailureText } from "./failureText.ts"
import {
  closeRefusal,
  connectRefusal,
  GatewayCallError,
  mayNotRead,
  refusedCall,
  UNAPPROVED
} from "./GatewayCallError.ts"
import type { GatewayEventFrame, GatewayHello, GatewayLink, LinkPhase, LinkState } from "./linkTypes.ts"
import { MAX_ATTEMPTS, retryDelay } from "./retryDelay.ts"
import { RELAY_PATH, socketAddress } from "./socketAddress.ts"

/** Attempts that count at most while the device is offline: those that bring the longest pause. */
const OFFLINE_ATTEMPTS = 6
/** Why there is no connection while the browser has no network. */
export const OFFLINE = say("This device is offline.")
const UNREACHED = say("Can't reach the gateway.")
/** The upgrade fails, and yet the console answers what it's asked otherwise. */
const NO_UPGRADE = say(
  "The console can be reached, but its live connection can't: a proxy in between has to forward WebSocket connections on /api/live and /ws, and ALLOWED_ORIGINS has to have this address."
)
/** The delay before asking a starting or restarting gateway again, if it names none. */
const FAST_DELAY = 500
/** How often an unapproved page asks on its own. The console's server notices an approval sooner and tells the page. */
const APPROVAL_DELAY = 60_000
/** Fast retries of a starting gateway before the ordinary back-off takes over. */
const MAX_FAST = 20
/** How long the first attempt may take before people are told that nothing answers. */
const SLOW_AFTER = 3_000
/** Opening, challenge and hello together. */
const CONNECT_LIMIT = 20_000
const CALL_LIMIT = 15_000
/** How long a link that was asleep may take to show that it is alive. */
const PROBE_LIMIT = 3_000
/** A call that costs the gateway almost nothing. */
const PROBE = "cron.status"
/** The longest pause between two looks at the clock. */
const WATCH_EVERY = 2_000
/** A link must hold this long before its failures are forgotten. */
const STABLE_AFTER = 5_000

interface Call {
  readonly resolve: (payload: unknown) => void
  readonly reject: (reason: GatewayCallError) => void
  readonly timer: ReturnType<typeof setTimeout>
}

export interface GatewayLinkOptions {
  readonly env: Environment
  /**
   * Whether the console's server requires a login; asked after a connection that never opened. Rejects while the console
   * itself doesn't answer.
   */
  readonly needsLogin: () => Promise<boolean>
  readonly clientVersion: string
  /** An added gateway; absent for the primary one. */
  readonly gatewayId?: string
}

/** The browser's connection to the gateway through the server's `/ws`. */
export function createGatewayLink({ env, needsLogin, clientVersion, gatewayId }: GatewayLinkOptions): GatewayLink {
  const state = createObservable<LinkState>({ phase: "closed", attempt: 0, nextAttemptAt: null, message: null })
  const hello = createObservable<GatewayHello | null>(null)
  const listeners = new Set<(frame: GatewayEventFrame) => void>()
  const gapListeners = new Set<() => void>()
  const calls = new Map<string, Call>()

  /** Every socket or timer callback compares its own number with this one: an old socket is ignored. */
  let generation = 0
  let socket: Socket | null = null
  let attempt = 0
  let lastId = 0
  let lastFrameAt = 0
  let lastSeq: number | null = null
  let connectId: string | null = null
  let refusal: Refusal | null = null
  let token: string | null = null
  let timers: Array<ReturnType<typeof setTimeout>> = []
  /** False after an attempt whose upgrade failed. */
  let isUpgraded = true
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

  /** Ends the current socket, its timers and its calls; nothing more is heard from it. */
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
      // The socket is already closed.
    }
    const waiting = [...calls.values()]
    calls.clear()
    hello.set(null)
    for (const call of waiting) {
      clearTimeout(call.timer)
      call.reject(new GatewayCallError("disconnected", say("The connection was lost before the gateway responded.")))
    }
  }

  function open(): void {
    if (disposed) return
    leave()
    const mine = generation
    refusal = null
    lastSeq = null
    isUpgraded = true
    attempt++
    // What a person has to do stays on screen while the gateway is asked again.
    if (state.get().phase !== "unapproved") publish("connecting", attempt === 1 ? null : state.get().message)
    later(SLOW_AFTER, () => {
      if (attempt === 1 && state.get().phase === "connecting")
        publish("connecting", say("The gateway hasn't responded yet. Check that it's running."))
    })
    later(CONNECT_LIMIT, () => lost(say("The gateway isn't responding."), null))
    try {
      const which = gatewayId === undefined ? "" : `&gateway=${gatewayId}`
      socket = env.openSocket(socketAddress(env, `${RELAY_PATH}?device=required${which}`), {
        onMessage: (text) => {
          if (mine === generation) receive(text)
        },
        onClose: (code, reason, opened) => {
          if (mine !== generation) return
          isUpgraded = opened !== false
          const plain = hello.get() === null ? UNREACHED : say("The connection to the gateway was lost.")
          const closed = closeFailure(code)
          lost(closed === undefined ? plain : ownFailureText(closed), refusal ?? closeRefusal(code, reason))
        }
      })
    } catch {
      lost(say("This browser couldn't open a connection."), null)
    }
  }

  function lost(message: string, why: Refusal | null) {
    const opened = hello.get() !== null || connectId !== null
    leave()
    if (why?.kind === "unapproved") {
      attempt = 0
      state.set({
        phase: "unapproved",
        attempt,
        nextAttemptAt: null,
        message: ownFailureText(why.failure),
        ...(why.requestId === undefined ? {} : { requestId: why.requestId })
      })
      return later(APPROVAL_DELAY, open)
    }
    if (why !== null && why.kind !== "retry") return publish("refused", ownFailureText(why.failure))
    // No attempt can succeed without a network, so none of them counts.
    if (!env.isOnline()) attempt = Math.min(attempt, OFFLINE_ATTEMPTS)
    const isStill = !isUpgraded && state.get().message === NO_UPGRADE
    const reason = !env.isOnline()
      ? OFFLINE
      : why === null
        ? isStill
          ? NO_UPGRADE
          : message
        : ownFailureText(why.failure)
    if (attempt >= MAX_ATTEMPTS)
      return publish("gaveUp", say("{reason} Gave up after {attempts} attempts.", { reason, attempts: MAX_ATTEMPTS }))
    const isFast = why !== null && attempt <= MAX_FAST
    const delay = isFast ? (why.retryAfterMs ?? FAST_DELAY) : retryDelay(Math.max(1, attempt), env.random())
    publish("waiting", reason, env.now() + delay)
    later(delay, open)
    if (!opened) askForLogin()
  }

  /** A refused upgrade looks like any broken connection, so ask the server whether it requires a login. */
  function askForLogin(): void {
    const mine = generation
    needsLogin().then(
      (needed) => {
        if (mine !== generation) return
        // The first time, the console may just have come back between the two.
        if (!needed && !isUpgraded && attempt > 1) state.set({ ...state.get(), message: NO_UPGRADE })
        if (!needed) return
        leave()
        publish("unauthorized", say("Please sign in."))
      },
      () => {
        const current = state.get()
        if (mine === generation && current.message === NO_UPGRADE) state.set({ ...current, message: UNREACHED })
      }
    )
  }

  function receive(text: string) {
    lastFrameAt = env.now()
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
        caps: ["tool-events", "approvals"],
        ...(token === null ? {} : { auth: { token } })
      }
    })
  }

  function answer(frame: Fields) {
    const id = textOf(frame.id)
    if (id === null) return
    if (id === connectId && hello.get() === null) {
      const greeting = frame.ok === true ? decodeHello(fieldsOf(frame.payload), env.now()) : null
      if (greeting !== null && greeting.scopes?.length !== 0) return welcome(greeting)
      refusal = greeting === null ? connectRefusal(frame.error) : UNAPPROVED
      return lost(ownFailureText(refusal.failure), refusal)
    }
    const call = calls.get(id)
    if (call === undefined) return
    calls.delete(id)
    clearTimeout(call.timer)
    if (frame.ok === true) return call.resolve(frame.payload)
    call.reject(refusedCall(frame.error))
    // A gateway that names no scopes and allows no reads has let the page in without its device.
    if (hello.get()?.scopes === null && mayNotRead(frame.error)) lost(ownFailureText(UNAPPROVED.failure), UNAPPROVED)
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

  /** The gateway ticks at a known interval; a silence of twice that means the link is dead. */
  function watch(interval: number): void {
    later(Math.min(interval / 2, WATCH_EVERY), () => {
      if (env.now() - lastFrameAt <= 2 * interval) return watch(interval)
      reopen()
    })
  }

  function reopen(): void {
    attempt = 0
    open()
  }

  /** Whether the link outlived a sleep shows when something is heard again. */
  function probe(): void {
    const asked = env.now()
    write({ type: "req", id: `probe-${generation}`, method: PROBE, params: {} })
    later(PROBE_LIMIT, () => {
      if (lastFrameAt < asked) reopen()
    })
  }

  function write(frame: object): void {
    try {
      socket?.send(JSON.stringify(frame))
    } catch {
      // The same socket's close callback follows and reports it.
    }
  }

  function request(method: string, params: object, options: { readonly timeoutMs?: number } = {}): Promise<unknown> {
    const greeting = hello.get()
    if (greeting === null)
      return Promise.reject(new GatewayCallError("offline", say("Not connected to the gateway right now.")))
    const id = `${generation}.${++lastId}`
    const text = JSON.stringify({ type: "req", id, method, params })
    if (text.length > greeting.maxPayload)
      return Promise.reject(new GatewayCallError("tooLarge", say("That's larger than the gateway accepts.")))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        calls.delete(id)
        reject(new GatewayCallError("timeout", say("The gateway didn't respond in time.")))
      }, options.timeoutMs ?? CALL_LIMIT)
      calls.set(id, { resolve, reject, timer })
      try {
        socket?.send(text)
      } catch {
        // The same socket's close callback rejects the call.
      }
    })
  }

  const stopWaking = env.onWake(() => {
    const { phase } = state.get()
    if (phase === "waiting" || phase === "unapproved") return open()
    const greeting = hello.get()
    if (phase !== "ready" || greeting === null) return
    if (env.now() - lastFrameAt > 2 * greeting.tickIntervalMs) reopen()
    else probe()
  })
  // A console on this machine can be reached without a network, so a new connection decides.
  const stopOffline = env.onOffline(() => {
    if (state.get().phase === "ready") open()
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
      stopOffline()
      listeners.clear()
      gapListeners.clear()
      publish("closed")
    }
  }
}
