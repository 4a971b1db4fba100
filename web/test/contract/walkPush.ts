import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Client } from "../../src/core/client/Client.ts"
import { memoryStorage } from "../../src/core/common/memoryStorage.ts"
import type { BrowserPush, CurrentSubscription } from "../../src/core/push/BrowserPush.ts"
import { createPushStore } from "../../src/core/push/PushStore.ts"
import type { makeFilledApp } from "./filledApp.ts"

interface PushPage extends Pick<Effect.Success<typeof makeFilledApp>, "double"> {
  readonly client: Client
}

const assertOk = (result: { readonly ok: boolean }) => assert.isTrue(result.ok, JSON.stringify(result))

/** This device's notifications, from on to off, with a test that fails. */
export const walkPush = Effect.fnUntraced(function* ({ client, double }: PushPage) {
  let current: CurrentSubscription | null = null
  const browser: BrowserPush = {
    obstacle: () => null,
    askPermission: async () => true,
    current: async () => current,
    subscribe: async (publicKey) => {
      current = { ...double.subscribe("phone"), publicKey }
      return current
    },
    unsubscribe: async () => {}
  }
  const push = createPushStore(client.api, browser, memoryStorage())
  yield* Effect.promise(async () => {
    await push.load()
    assertOk(await push.switchOn("Phone"))
    const id = push.state.get().mine?.id ?? ""
    assertOk(await push.change(id, { quiet: { from: "22:00", to: "07:00", zone: "UTC" } }))
    assertOk(await push.test(id))
    double.answers((response) => response.writeHead(403).end())
    assert.isFalse((await push.test(id)).ok)
    assertOk(await push.switchOff())
  })
})
