import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, Schema } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { applyPatch } from "../../src/contract/applyPatch.ts"
import { ConversationState } from "../../src/contract/schema/conversation.ts"
import { serverFrames } from "../../src/contract/schema/live.ts"
import { listen } from "./listen.ts"
import { clientLayer, connected } from "./liveClient.ts"
import { greetedLive } from "./liveSockets.ts"

/** The whole console on real sockets, with a practice gateway it's connected to. */
export const consoleWithGateway = Effect.fnUntraced(function* (options: PracticeGatewayOptions) {
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(practiceGateway({ seed: false, tokenMs: 0, ...options }))
  )
  const { token, url } = gateway
  const client = yield* Layer.build(
    clientLayer({ url, token: Redacted.value(token) }).pipe(Layer.provide(Logger.layer([])))
  )
  yield* Effect.provide(connected, client)
  const app = yield* listen({ gatewayUrl: url, gatewayToken: token }, Layer.succeedContext(client)).pipe(
    Effect.provide(NodeServices.layer)
  )
  return { ...app, gateway: gateway.control, isConnected: Effect.provide(connected, client) }
})

const Frames = Schema.Union([
  serverFrames.snapshot,
  serverFrames.patch,
  serverFrames.turn,
  serverFrames.same,
  serverFrames.gone
])
const decodeFrame = Schema.decodeUnknownSync(Frames)
const decodeState = Schema.decodeUnknownSync(ConversationState)
type State = typeof ConversationState.Type
type Frame = typeof Frames.Type

/** A client that looks at a conversation, and what it makes of the frames; each one has to fit what it has. */
export const readConversation = Effect.fnUntraced(function* (port: number, key: string, more: object = {}) {
  const live = yield* greetedLive(port)
  const seen: Array<State> = []
  const turns: Array<Extract<Frame, { t: "turn" }>> = []
  let bytes = 0
  let patches = 0
  let epochs: ReadonlyArray<string> = []
  let number = 0
  let state: State | undefined
  live.ws.on("message", (data) => {
    bytes += Buffer.byteLength(data.toString())
  })
  const take = Effect.gen(function* () {
    const frame = decodeFrame(yield* Effect.repeat(live.next, { until: ({ t }) => t !== "tick" }))
    if (frame.t === "snapshot") {
      state = decodeState(frame.state)
      epochs = [...epochs, frame.e]
      number = frame.s
    }
    if (frame.t === "patch") {
      assert.strictEqual(frame.from ?? frame.s - 1, number, "a patch builds on what the client has")
      const { from: _, ...patch } = frame
      const { items, head } = state ?? assert.fail("a patch before a snapshot")
      const next = applyPatch({ items: items.map((item) => ({ ...item })), head: { ...head } }, patch)
      assert.isDefined(next)
      state = decodeState(next)
      number = frame.s
      patches += 1
    }
    if (frame.t === "turn") turns.push(frame)
    if (state !== undefined && frame.t !== "turn") seen.push(state)
    return frame
  })
  const until = Effect.fnUntraced(function* (wanted: (state: State) => boolean) {
    while (state === undefined || !wanted(state)) yield* take
    return state
  })
  yield* live.send({ t: "open", c: 1, topic: "conversation", key, rate: "live", ...more })
  return {
    live,
    take,
    until,
    seen,
    turns,
    /** Reads to the end of a turn, and until it's settled. */
    turnEnd: Effect.gen(function* () {
      const before = turns.length
      while (turns.length === before) yield* take
    }),
    get state() {
      return state
    },
    get epochs() {
      return epochs
    },
    get number() {
      return number
    },
    get patches() {
      return patches
    },
    get bytes() {
      return bytes
    }
  }
})

/** Posts JSON to the console, and reads the answer's. */
export const post = (base: string, path: string, body: object) =>
  Effect.promise(async () => {
    const answer = await fetch(`${base}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" }
    })
    return { status: answer.status, body: Object(await answer.json()) }
  })

/** Has the console send a message. */
export const sendMessage = Effect.fnUntraced(function* (
  base: string,
  sessionKey: string,
  text: string,
  id: string = crypto.randomUUID()
) {
  const { status } = yield* post(base, "/api/outbox", { id, sessionKey, text, mode: "next" })
  assert.strictEqual(status, 201)
  return id
})
