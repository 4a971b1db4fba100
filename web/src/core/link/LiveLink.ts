import { applyPatch, type PatchedState } from "../../../../src/contract/applyPatch.ts"
import type { Why } from "../../../../src/contract/failure.ts"
import { parseJson } from "../../../../src/contract/looseFields.ts"
import type { ClientFrame, LiveTopic, ServerFrame, TopicStates } from "../../../../src/contract/schema/live.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ServerEvent } from "./apiTypes.ts"
import type { Environment, Socket } from "./Environment.ts"
import { MAX_ATTEMPTS, retryDelay } from "./retryDelay.ts"
import { LIVE_PATH, socketAddress } from "./socketAddress.ts"

/** Page and server come from one build, so an event has the data that its name says. */
type Heard = Exclude<ServerFrame, { readonly t: "event" }> | ({ readonly t: "event" } & ServerEvent)
type Frame<T extends Heard["t"]> = Extract<Heard, { readonly t: T }>
type State = Frame<"snapshot">["state"]

/** What is shown on a channel; methods, so that listeners of one topic can be kept beside those of another. */
export interface ChannelListener<Shown = State> {
  /** The whole state, after a snapshot and after each patch. */
  onState(state: Shown): void
  /** The channel is over, or can't be had. */
  onGone?(why: Why): void
}

/** What of a topic is shown, and how. */
type ChannelParameters = Omit<Extract<ClientFrame, { readonly t: "open" }>, "t" | "c" | "topic" | "have">

/** A topic that is shown until it's closed, over as many connections as that takes. */
interface LiveChannel {
  /** Changes parameters; those that aren't named stay. */
  set(changed: Omit<ChannelParameters, "key">): void
  close(): void
}

interface Channel {
  readonly topic: LiveTopic
  readonly listener: ChannelListener
  parameters: ChannelParameters
  state: State
  number: number
}

export interface LiveLink {
  /** Whether the console has welcomed this page, and nothing has failed since. */
  readonly isUp: Readable<boolean>
  /** The id by which the console knows this tab. */
  readonly tab: string
  /** Shows a topic. */
  open<Topic extends LiveTopic>(
    topic: Topic,
    listener: ChannelListener<TopicStates[Topic]>,
    parameters?: ChannelParameters
  ): LiveChannel
  /** Tells the console which session a person looks at in this tab; null if at none. */
  look(sessionKey: string | null): void
  /** Calls back with each event, while a channel with that topic is open. */
  onEvent(listener: (event: ServerEvent) => void): () => void
  /** Calls back when the console says that the sign-in has ended. */
  onSignedOut(listener: () => void): () => void
  /** Calls back with the console's build at each connection. */
  onBuild(listener: (build: string) => void): () => void
  /** A token a person typed, for a console without sign-in on another machine. Kept in memory only. */
  setToken(token: string): void
  /** Ends a wait or giving up, and tries right away; the attempt count restarts. */
  retryNow(): void
  start(): void
  stop(): void
}

/** The console ticks every 25 s; a page that hears nothing for this long connects again. */
const MAX_SILENCE = 60_000
/** How long a connection may take to be welcomed. */
const WELCOME_LIMIT = 20_000
/** How long a connection that was asleep may take to show that it is alive. */
const PING_LIMIT = 3_000
/** A connection must hold this long before its failures are forgotten. */
const STABLE_AFTER = 5_000

const SIGNED_OUT = 4401
const OTHER_VERSION = 4406

const keyField = (topic: LiveTopic): string => (topic === "gateways" ? "id" : "key")

/** A patch's view of a state: its items, and everything else. */
const patched = ({ items, head }: State): PatchedState<State> => ({
  items: Array.isArray(items) ? items : [],
  head: typeof head === "object" && head !== null ? { ...head } : {}
})

const listeners = <A>() => {
  const all = new Set<(value: A) => void>()
  return {
    tell: (value: A) => {
      for (const listener of [...all]) listener(value)
    },
    add: (listener: (value: A) => void) => {
      all.add(listener)
      return () => {
        all.delete(listener)
      }
    }
  }
}

/** The page's own connection to the console (`/api/live`): one for each tab. */
export function createLiveLink(env: Environment): LiveLink {
  const isUp = createObservable(false)
  const events = listeners<ServerEvent>()
  const signedOut = listeners<void>()
  const builds = listeners<string>()
  const channels = new Map<number, Channel>()
  const tab = env.uuid()
  let lastChannel = 0
  let lastPing = 0
  let looked: string | null = null
  let token: string | null = null
  let socket: Socket | null = null
  /** Every callback compares its own number with this one: an old socket is ignored. */
  let generation = 0
  let attempt = 0
  let retryAfterMs = 0
  let isRunning = false
  let timers: Array<ReturnType<typeof setTimeout>> = []
  let silence: ReturnType<typeof setTimeout> | undefined

  const later = (ms: number, action: () => void) => timers.push(setTimeout(action, ms))

  function send(frame: ClientFrame): void {
    try {
      socket?.send(JSON.stringify(frame))
    } catch {
      // The socket isn't open yet or no more; its close callback follows.
    }
  }

  function leave(): void {
    generation++
    for (const timer of timers) clearTimeout(timer)
    timers = []
    clearTimeout(silence)
    const old = socket
    socket = null
    try {
      old?.close(1000)
    } catch {
      // The socket is already closed.
    }
    isUp.set(false)
  }

  function connect(): void {
    if (!isRunning) return
    leave()
    attempt++
    retryAfterMs = 0
    const mine = generation
    later(WELCOME_LIMIT, lost)
    try {
      socket = env.openSocket(socketAddress(env, LIVE_PATH), {
        onOpen: () => {
          if (mine === generation) greet()
        },
        onMessage: (text) => {
          const frame = parseJson<Heard>(text)
          if (mine === generation && frame !== undefined) hear(frame)
        },
        onClose: (code) => {
          if (mine === generation) closed(code)
        }
      })
    } catch {
      lost()
    }
  }

  function greet(): void {
    send({ t: "hello", v: 1, build: env.build, tab, ...(token === null ? {} : { gatewayToken: token }) })
  }

  function closed(code: number) {
    if (code === SIGNED_OUT) {
      stop()
      return signedOut.tell()
    }
    if (code !== OTHER_VERSION) return lost()
    stop()
    // Whatever build it is, this page is of another one.
    builds.tell("other")
  }

  function lost() {
    leave()
    if (attempt >= MAX_ATTEMPTS) return
    later(Math.max(retryAfterMs, retryDelay(attempt, env.random())), connect)
  }

  function connectNow(): void {
    attempt = 0
    connect()
  }

  function listen(): void {
    clearTimeout(silence)
    silence = setTimeout(connectNow, MAX_SILENCE)
  }

  function subscribe(number: number, channel: Channel): void {
    // Lists count anew for each channel, so what the page has of another one is of no use.
    send({ t: "open", c: number, topic: channel.topic, ...channel.parameters })
  }

  function hear(frame: Heard) {
    listen()
    switch (frame.t) {
      case "welcome":
        for (const timer of timers) clearTimeout(timer)
        timers = []
        later(STABLE_AFTER, () => {
          attempt = 0
        })
        if (frame.build !== "") builds.tell(frame.build)
        for (const [number, channel] of channels) subscribe(number, channel)
        if (looked !== null) send({ t: "look", key: looked })
        return isUp.set(true)
      case "event":
        return events.tell(frame)
      case "snapshot":
        return show(frame.c, frame.s, frame.state)
      case "patch":
        return patch(frame)
      case "gone":
        // The console counts wrong tokens.
        if (frame.why.code === "NOT_TRUSTED") token = null
        return channels.get(frame.c)?.listener.onGone?.(frame.why)
      case "bye":
        retryAfterMs = frame.retryAfterMs ?? 0
        return
      case "tick":
        if (frame.n === lastPing) lastPing = 0
        return
      case "same":
        return
    }
  }

  function show(number: number, count: number, state: State) {
    const channel = channels.get(number)
    if (channel === undefined) return
    channel.number = count
    channel.state = state
    channel.listener.onState(state)
  }

  function patch({ c, from, head, ops, s }: Frame<"patch">) {
    const channel = channels.get(c)
    if (channel === undefined) return
    const next =
      (from ?? s - 1) === channel.number
        ? applyPatch(
            patched(channel.state),
            { ...(ops === undefined ? {} : { ops }), ...(head === undefined ? {} : { head }) },
            keyField(channel.topic)
          )
        : undefined
    if (next === undefined) return subscribe(c, channel)
    show(c, s, { ...channel.state, ...next })
  }

  /** Whether the connection outlived a sleep shows when it answers. */
  function ping(): void {
    const mine = generation
    lastPing = env.now()
    const asked = lastPing
    send({ t: "ping", n: asked })
    later(PING_LIMIT, () => {
      if (mine === generation && lastPing === asked) connectNow()
    })
  }

  let stopWaking = () => {}
  let stopOffline = () => {}

  function stop(): void {
    isRunning = false
    stopWaking()
    stopOffline()
    leave()
  }

  return {
    isUp,
    tab,
    onEvent: events.add,
    onSignedOut: signedOut.add,
    onBuild: builds.add,
    open: (topic, listener, parameters = {}) => {
      const number = ++lastChannel
      const channel: Channel = { topic, listener, parameters, state: {}, number: 0 }
      channels.set(number, channel)
      if (isUp.get()) subscribe(number, channel)
      return {
        set: (changed) => {
          channel.parameters = { ...channel.parameters, ...changed }
          if (isUp.get()) send({ t: "set", c: number, ...changed })
        },
        close: () => {
          if (channels.delete(number) && isUp.get()) send({ t: "close", c: number })
        }
      }
    },
    look: (sessionKey) => {
      if (sessionKey === looked) return
      looked = sessionKey
      if (isUp.get()) send({ t: "look", key: looked })
    },
    setToken: (next) => {
      token = next === "" ? null : next
      if (isRunning) connectNow()
    },
    retryNow: () => {
      if (isRunning && !isUp.get()) connectNow()
    },
    start: () => {
      if (isRunning) return
      isRunning = true
      stopWaking = env.onWake(() => {
        if (isUp.get()) ping()
        else connectNow()
      })
      // A console on this machine can be reached without a network, so a new connection decides.
      stopOffline = env.onOffline(connectNow)
      connectNow()
    },
    stop
  }
}
