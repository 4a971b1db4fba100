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

/** The end of a turn of a conversation. */
type LiveTurn = Frame<"turn">

/** What is shown on a channel; methods, so that listeners of one topic can be kept beside those of another. */
export interface ChannelListener<Shown = State> {
  /** The whole state, after a snapshot, after each patch, and when it still holds on a new connection. */
  onState(state: Shown, epoch: string): void
  /** A turn of a conversation has ended. */
  onTurn?(turn: LiveTurn): void
  /** The channel is over, or can't be had. */
  onGone?(why: Why): void
}

/** What of a topic is shown, and how. */
type ChannelParameters = Omit<Extract<ClientFrame, { readonly t: "open" }>, "t" | "c" | "topic" | "have">

/** A topic that is shown until it's closed, over as many connections as that takes. */
interface LiveChannel {
  /** Changes parameters; those that aren't named stay. */
  set(changed: Omit<ChannelParameters, "key">): void
  /** Has the whole state sent again. */
  reopen(): void
  /** Hears no more until `resume`, which goes on from what was heard. */
  pause(): void
  resume(): void
  close(): void
}

interface Channel {
  readonly topic: LiveTopic
  readonly listener: ChannelListener
  parameters: ChannelParameters
  isPaused: boolean
  /** Patches until the state comes are those of the channel before. */
  isOpening: boolean
  state: State
  /** Of the state: a conversation counts its states for all who look at it, a list for each channel. */
  epoch: string
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

/** What a channel has before its first state. */
const NOTHING = { state: {}, epoch: "", number: 0 }

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

  function subscribe(c: number, channel: Channel): void {
    if (channel.isPaused) return
    const { epoch: e, number: s, parameters, topic } = channel
    channel.isOpening = true
    // Lists count anew for each channel, so what the page has of another one is of no use.
    const have = topic === "conversation" && e !== "" ? { have: { e, s } } : {}
    send({ t: "open", c, topic, ...parameters, ...have })
  }

  function reopen(c: number, channel: Channel): void {
    channel.epoch = ""
    if (isUp.get()) subscribe(c, channel)
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
        return show(frame, frame.state)
      case "same":
        return same(frame)
      case "patch":
        return patch(frame)
      case "turn":
        return channels.get(frame.c)?.listener.onTurn?.(frame)
      case "gone":
        // The console counts wrong tokens.
        if (frame.why.code === "NOT_TRUSTED") token = null
        return channels.get(frame.c)?.listener.onGone?.(frame.why)
      case "bye":
        retryAfterMs = frame.retryAfterMs ?? 0
        return
      case "tick":
        if (frame.n === lastPing) lastPing = 0
    }
  }

  function show({ c, e, s }: { readonly c: number; readonly e: string; readonly s: number }, state: State) {
    const channel = channels.get(c)
    if (channel === undefined || channel.isPaused) return
    channel.isOpening = false
    channel.epoch = e
    channel.number = s
    channel.state = state
    channel.listener.onState(state, e)
  }

  function same(frame: Frame<"same">) {
    const channel = channels.get(frame.c)
    // Without an epoch the whole state has been asked for meanwhile.
    if (channel === undefined || channel.epoch === "") return
    if (channel.epoch === frame.e && channel.number === frame.s) show(frame, channel.state)
    else reopen(frame.c, channel)
  }

  function patch({ c, from, head, ops, s }: Frame<"patch">) {
    const channel = channels.get(c)
    if (channel === undefined || channel.isPaused || channel.isOpening) return
    const { epoch: e, number, state } = channel
    const next =
      (from ?? s - 1) === number
        ? applyPatch(
            patched(state),
            { ...(ops === undefined ? {} : { ops }), ...(head === undefined ? {} : { head }) },
            keyField(channel.topic)
          )
        : undefined
    if (next === undefined) return reopen(c, channel)
    show({ c, e, s }, { ...state, ...next })
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
      const c = ++lastChannel
      const channel: Channel = { topic, listener, parameters, isPaused: false, isOpening: false, ...NOTHING }
      const tell = (frame: ClientFrame) => {
        if (isUp.get() && !channel.isPaused) send(frame)
      }
      channels.set(c, channel)
      if (isUp.get()) subscribe(c, channel)
      return {
        set: (changed) => {
          channel.parameters = { ...channel.parameters, ...changed }
          tell({ t: "set", c, ...changed })
        },
        reopen: () => reopen(c, channel),
        pause: () => {
          tell({ t: "close", c })
          channel.isPaused = true
        },
        resume: () => {
          if (!channel.isPaused) return
          channel.isPaused = false
          if (isUp.get()) subscribe(c, channel)
        },
        close: () => {
          if (channels.delete(c)) tell({ t: "close", c })
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
