import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, Schema } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { applyPatch } from "../../src/contract/applyPatch.ts"
import { PatchOp } from "../../src/contract/schema/live.ts"
import { SessionRow, SessionsHead } from "../../src/contract/schema/sessionRow.ts"
import { clientLayer, connected } from "./liveClient.ts"
import type { greetedLive } from "./liveSockets.ts"

const State = Schema.Struct({ items: Schema.Array(SessionRow), head: SessionsHead })
const decodeState = Schema.decodeUnknownSync(State)
const decodeSnapshot = Schema.decodeUnknownSync(
  Schema.Struct({ e: Schema.String, s: Schema.Int, state: Schema.Unknown })
)
const decodePatch = Schema.decodeUnknownSync(
  Schema.Struct({
    s: Schema.Int,
    from: Schema.optionalKey(Schema.Int),
    ops: Schema.optionalKey(Schema.Array(PatchOp)),
    head: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  })
)
type State = typeof State.Type

/** A practice gateway, and the console's client connected to it. */
export const connectedGateway = Effect.fnUntraced(function* (options: PracticeGatewayOptions) {
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(practiceGateway({ tokenMs: 0, seed: false, ...options }))
  )
  const client = yield* Layer.build(
    clientLayer({ url: gateway.url, token: Redacted.value(gateway.token) }).pipe(Layer.provide(Logger.layer([])))
  )
  yield* Effect.provide(connected, client)
  return { gateway, layer: Layer.succeedContext(client) }
})

/** Opens the topic on a channel, and keeps what a client would have of it. */
export const openSessions = Effect.fnUntraced(function* (
  live: Effect.Success<ReturnType<typeof greetedLive>>,
  c: number,
  parameters: object = {}
) {
  yield* live.send({ t: "open", c, topic: "sessions", ...parameters })
  const first = yield* live.nextOf("snapshot")
  let { e, s, state } = decodeSnapshot(first)
  let shown = decodeState(state)
  const take = Effect.gen(function* () {
    const frame = yield* live.next
    if (frame.c !== c) return
    if (frame.t === "snapshot") {
      ;({ e, s, state } = decodeSnapshot(frame))
      shown = decodeState(state)
    } else if (frame.t === "patch") {
      const patch = decodePatch(frame)
      assert.strictEqual(patch.s, s + 1)
      s = patch.s
      const next = applyPatch({ items: [...shown.items], head: shown.head }, patch, "key")
      assert.isDefined(next)
      shown = decodeState(next)
    }
  })
  return {
    state: () => shown,
    named: () => ({ e, s }),
    row: (key: string) => shown.items.find((row) => row.key === key),
    until: (isIt: (state: State) => boolean) =>
      Effect.gen(function* () {
        while (!isIt(shown)) yield* take
        return shown
      })
  }
})
