import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import type { Client } from "../../src/core/client/Client.ts"
import { createGatewaysStore, type GatewayRow } from "../../src/core/gateways/GatewaysStore.ts"
import { whileTimePasses } from "./whileTimePasses.ts"

/** A gateway that is added, waits for approval, is approved and changed, and what the page is told of it. */
export const walkGateways = Effect.fnUntraced(function* (client: Client) {
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(EmbeddedGateway.layer({ tokenMs: 0, seed: false, deviceApproval: "manual" }))
  )
  const store = createGatewaysStore(client.api, client.events)
  const input = { name: "Other", url: gateway.url, token: Redacted.value(gateway.token) }
  const until = (isIt: (row: GatewayRow) => boolean) =>
    whileTimePasses(async () => {
      for (;;) {
        await store.load()
        const row = store.state.get().gateways.find(({ id }) => id === "other")
        if (row !== undefined && isIt(row)) return
        await new Promise(setImmediate)
      }
    })
  yield* whileTimePasses(async () => {
    const added = await store.add(input)
    assert.isTrue(added.ok, JSON.stringify(added))
    const defaults = await client.api.connectDefaults()
    assert.deepStrictEqual(defaults.ok && defaults.value.gateways.map(({ id }) => id), ["primary", "other"])
  })
  yield* until(({ requestId }) => requestId !== null)
  yield* gateway.control.approveDevices
  yield* until(({ state }) => state === "ok")
  yield* whileTimePasses(async () => {
    assert.isTrue((await store.change("other", { ...input, name: "Another", token: "" })).ok)
    assert.deepStrictEqual(
      store.state.get().gateways.map(({ name }) => name),
      ["Main gateway", "Another"]
    )
  })
  return store
})
