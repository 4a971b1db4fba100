import { Clock, Deferred, Effect, Exit, Option, Queue, Schema } from "effect"
import { WebSocket } from "ws"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import { type ClientFrame, clientFrames, type Hello, LIVE_VERSION, type Right } from "../../contract/schema/live.ts"
import type { TooManyWrongTokens } from "../../services/access/trust/gatewayTokens.ts"
import { packageInfo } from "../../services/platform/version/packageInfo.ts"
import type { ConversationChannel } from "./ConversationChannel.ts"
import { makeFrameBudget } from "./frameBudget.ts"
import { LiveChannel } from "./LiveChannel.ts"
import { LiveSocket } from "./LiveSocket.ts"
import type { LiveSockets } from "./LiveSockets.ts"
import { LIVE_ENDS, LIVE_LIMITS, type LiveEnd, LOOK_RIGHT, TOPIC_RIGHTS } from "./liveLimits.ts"
import { EVERYTHING, type Reach, reachOf } from "./Reach.ts"

const decodeFrame = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union(Object.values(clientFrames))))
const decodeVersion = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ t: Schema.Literal("hello"), v: Schema.Finite }))
)

/** A frame of another version may have other fields, so its version is read first. */
const readFrame = (text: string): ClientFrame | LiveEnd => {
  const version = Option.getOrUndefined(decodeVersion(text))?.v
  if (version !== undefined && version !== LIVE_VERSION) return LIVE_ENDS.otherVersion
  const frame = Option.getOrElse(decodeFrame(text), () => LIVE_ENDS.badFrame)
  const isIncomplete = "t" in frame && frame.t === "open" && frame.topic === "conversation" && !isOfSession(frame)
  return isIncomplete ? LIVE_ENDS.badFrame : frame
}

/** Whether a conversation's channel says which one, and how often. */
const isOfSession = ({ key, rate }: Extract<ClientFrame, { t: "open" }>): boolean =>
  key !== undefined && rate !== undefined

/** Who opened a socket, as its upgrade showed. */
export interface LiveVisitor {
  /** Signed in, or on the console's machine; others need the gateways' tokens. */
  readonly isTrusted: boolean
  /** What the client may do. */
  readonly rights: ReadonlyArray<Right>
  /** There were as many sockets as there may be. */
  readonly isSurplus: boolean
  readonly checkTokens: (
    given: Readonly<Record<string, string>>
  ) => Effect.Effect<ReadonlySet<string>, TooManyWrongTokens>
  /** Calls the listener when the sign-in ends; what it returns ends that. */
  readonly onSignedOut: (listener: () => void) => () => void
}

type Live = LiveSockets["Service"]

type Opening = Extract<ClientFrame, { t: "open" }>

/** The channels of one socket. */
const makeChannels = (socket: LiveSocket, live: Live, reach: Reach, rights: ReadonlyArray<Right>) => {
  const channels = new Map<number, LiveChannel | ConversationChannel>()
  const close = (number: number) => {
    channels.get(number)?.close()
    channels.delete(number)
  }
  // What it subscribes is always closed again.
  const open = Effect.fnUntraced(function* (frame: Opening) {
    const { c, have, key, rate, topic } = frame
    close(c)
    if (!rights.includes(TOPIC_RIGHTS[topic])) return socket.send({ t: "gone", c, why: { code: "NO_RIGHT" } })
    if (reach.isNothing) return socket.send({ t: "gone", c, why: { code: "NOT_TRUSTED" } })
    if (channels.size >= LIVE_LIMITS.channels) {
      return socket.send({ t: "gone", c, why: { code: "TOO_MANY_CHANNELS" } })
    }
    if (topic === "conversation") {
      if (key === undefined || rate === undefined) return
      channels.set(c, live.conversation(socket, reach, { c, key, rate, ...(have === undefined ? {} : { have }) }))
      return
    }
    const onGone = () => channels.delete(c)
    const channel = new LiveChannel(c, { socket, recent: live.recent, epoch: live.newEpoch(), onGone })
    channels.set(c, channel)
    const shown = yield* live.open({ ...frame, topic }, { socket, channel, reach })
    if ("code" in shown) channel.end(shown)
    else channel.show(shown, have)
  }, Effect.uninterruptible)
  return {
    open,
    close,
    set: (frame: Extract<ClientFrame, { t: "set" }>) => channels.get(frame.c)?.set(frame),
    look: (key: string | null) => {
      if (rights.includes(LOOK_RIGHT)) live.look(socket, key, reach)
    },
    closeAll: () => {
      live.look(socket, null, reach)
      for (const number of [...channels.keys()]) close(number)
    },
    catchUp: () => {
      for (const channel of channels.values()) channel.catchUp()
    }
  }
}

/** What a client reaches by its hello; or why its socket ends. */
const reachBy = ({ gatewayToken = {} }: Hello, { checkTokens, isTrusted }: LiveVisitor) => {
  if (isTrusted) return Effect.succeed(EVERYTHING)
  const given = typeof gatewayToken === "string" ? { [PRIMARY]: gatewayToken } : gatewayToken
  return Effect.map(checkTokens(given), reachOf)
}

/** One socket of `/api/live`, from its upgrade to its end. */
export const liveSession = Effect.fnUntraced(function* (ws: WebSocket, visitor: LiveVisitor, live: Live) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const frames = yield* Queue.unbounded<string>()
  const ended = Deferred.makeUnsafe<LiveEnd | undefined>()
  const endWith = (end: LiveEnd | undefined) => Deferred.doneUnsafe(ended, Effect.succeed(end))
  const budget = makeFrameBudget(LIVE_LIMITS.burst, LIVE_LIMITS.perSecond, now())
  let channels: ReturnType<typeof makeChannels> | undefined

  const socket = new LiveSocket(ws, {
    drained: () => channels?.catchUp(),
    tooSlow: () => endWith(LIVE_ENDS.tooSlow)
  })
  const counted = () => {
    if (budget.take(now())) return true
    endWith(LIVE_ENDS.tooManyFrames)
    return false
  }
  ws.on("message", (data, isBinary) => {
    if (!counted()) return
    if (isBinary) endWith(LIVE_ENDS.badFrame)
    else Queue.offerUnsafe(frames, data.toString())
  })
  ws.on("ping", counted)
  ws.on("pong", counted)
  ws.on("close", () => endWith(undefined))
  if (ws.readyState !== WebSocket.OPEN) endWith(undefined)
  const leave = live.join(socket)
  const forget = visitor.onSignedOut(() => endWith(LIVE_ENDS.signedOut))

  const greet = Effect.gen(function* () {
    const first = Effect.timeoutOption(Queue.take(frames), LIVE_LIMITS.hello)
    const text = Option.getOrUndefined(yield* first)
    if (text === undefined) return LIVE_ENDS.noHello
    const hello = readFrame(text)
    if (!("t" in hello)) return hello
    if (hello.t !== "hello") return LIVE_ENDS.badFrame
    if (visitor.isSurplus) return LIVE_ENDS.tooManySockets
    return yield* Effect.catch(reachBy(hello, visitor), ({ retryAfterMs }) =>
      Effect.succeed({ ...LIVE_ENDS.tooManyFrames, retryAfterMs })
    )
  })

  const answer = (frame: ClientFrame, { close, look, open, set }: ReturnType<typeof makeChannels>) => {
    switch (frame.t) {
      case "open":
        return open(frame)
      case "close":
        return Effect.sync(() => close(frame.c))
      case "ping":
        return Effect.sync(() => socket.send({ t: "tick", n: frame.n, now: now() }))
      case "set":
        return Effect.sync(() => set(frame))
      case "look":
        return Effect.sync(() => look(frame.key))
      default:
        return Effect.void
    }
  }

  const serve = Effect.gen(function* () {
    const reach = yield* greet
    if ("code" in reach) return reach
    const { build } = packageInfo
    const limits = { channels: LIVE_LIMITS.channels }
    socket.send({
      t: "welcome",
      v: LIVE_VERSION,
      build,
      boot: live.boot,
      now: now(),
      me: { rights: visitor.rights },
      limits
    })
    socket.isGreeted = true
    channels = makeChannels(socket, live, reach, visitor.rights)
    for (;;) {
      const frame = readFrame(yield* Queue.take(frames))
      if (!("t" in frame)) return frame
      if (frame.t === "hello") return LIVE_ENDS.badFrame
      yield* answer(frame, channels)
    }
  })

  const farewell = (end: LiveEnd | undefined) => {
    if (end === undefined) return Effect.void
    const patience = end === LIVE_ENDS.tooSlow ? LIVE_LIMITS.slowFarewell : LIVE_LIMITS.farewell
    const closed = Effect.callback<void>((resume) => {
      if (ws.readyState === WebSocket.CLOSED) return resume(Effect.void)
      ws.once("close", () => resume(Effect.void))
      socket.end(end)
    })
    return Effect.timeoutOption(closed, patience)
  }

  yield* Effect.raceFirst(Deferred.await(ended), serve).pipe(
    Effect.tap(() => Effect.sync(() => channels?.closeAll())),
    Effect.flatMap(farewell),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        // An interrupted one ends with the console, which gives its connections a moment.
        if (Exit.hasInterrupts(exit)) socket.end(LIVE_ENDS.stopping)
        else socket.terminate()
        channels?.closeAll()
        forget()
        leave()
      })
    )
  )
})
