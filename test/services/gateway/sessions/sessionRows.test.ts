import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { rowsOf, sessionRows } from "../../../../src/services/gateway/sessions/sessionSchemas.ts"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"

const Row = Schema.Struct({ key: Schema.String, updatedAt: Schema.Finite })
const Params = Schema.Struct({
  search: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Finite),
  offset: Schema.optionalKey(Schema.Finite)
})
const paramsOf = Schema.decodeUnknownSync(Params)

const keyOf = (index: number) => `agent:main:task-${index}`

/** A gateway with so many sessions, the latest changed first. */
const gatewayWith = Effect.fnUntraced(function* (count: number, protocol: number) {
  const all = Array.from({ length: count }, (_, index) => ({ key: keyOf(index), updatedAt: count - index }))
  const { calls, layer } = yield* makeAnsweringGateway(
    ({ params }) =>
      Effect.sync(() => {
        const { limit = protocol < 4 ? count : 100, offset = 0, search = "" } = paramsOf(params)
        const found = all.filter(({ key }) => key.includes(search))
        const sessions = found.slice(offset, offset + limit)
        return { ts: 7, sessions, ...(protocol < 4 ? {} : { hasMore: offset + sessions.length < found.length }) }
      }),
    { protocol, version: "", scopes: [], methods: new Set() }
  )
  return { calls, client: Context.get(yield* Layer.build(layer), GatewayClient) }
})

describe("the rows of sessions among 2,345 others", () => {
  const keys = (...indices: ReadonlyArray<number>) => new Set(indices.map(keyOf))
  const found = (count: number, protocol: number, wanted: ReadonlySet<string>) =>
    Effect.gen(function* () {
      const { calls, client } = yield* gatewayWith(count, protocol)
      const rows = yield* rowsOf(client, Row, wanted)
      return { keys: rows.map(({ key }) => key), calls: calls.length }
    })

  it.effect.each([3, 4])("are found wherever they are in the list: protocol %i", (protocol) =>
    Effect.gen(function* () {
      for (const wanted of [keys(0), keys(2_344), keys(1), keys(7, 2_000), keys(0, 600, 1_200, 1_800, 2_340)]) {
        assert.sameMembers((yield* found(2_345, protocol, wanted)).keys, [...wanted])
      }
      const missing = new Set([keyOf(5_000)])
      assert.deepStrictEqual((yield* found(2_345, protocol, missing)).keys, [])
      assert.deepStrictEqual((yield* found(2_345, protocol, new Set())).keys, [])
    })
  )

  it.effect("take one call each where there are few, and as many pages as needed where there are many", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* found(2_345, 4, keys(2_344))).calls, 1)
      assert.strictEqual((yield* found(2_345, 4, keys(0, 1, 2, 3, 4, 5))).calls, 1)
      assert.strictEqual((yield* found(2_345, 4, keys(0, 1, 2, 3, 4, 1_001))).calls, 3)
      assert.strictEqual((yield* found(2_345, 3, keys(0, 1, 2, 3, 4, 1_001))).calls, 1)
    })
  )
})

describe("the list of sessions", () => {
  it.effect.each([
    [3, 1],
    [4, 3]
  ] as const)("is read as far as it's wanted: protocol %i", ([protocol, pages]) =>
    Effect.gen(function* () {
      const { calls, client } = yield* gatewayWith(2_345, protocol)
      const { rows, ts } = yield* sessionRows(client, Row, {
        isEnough: (read) => (read.at(-1)?.updatedAt ?? 0) < 1_000
      })
      assert.strictEqual(calls.length, pages)
      assert.strictEqual(ts, 7)
      assert.strictEqual(new Set(rows.map(({ key }) => key)).size, protocol < 4 ? 2_345 : 1_500)
    })
  )
})
