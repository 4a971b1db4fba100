import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import type { Client } from "../../src/core/client/Client.ts"
import { memoryStorage } from "../../src/core/common/memoryStorage.ts"
import { createDrafts } from "../../src/core/composer/DraftStore.ts"
import { createDraftSync } from "../../src/core/composer/DraftSync.ts"

interface DraftsPage {
  readonly client: Client
  readonly deliverAll: Effect.Effect<void>
}

/** A draft that is written on one device and read on another one, which hears of it. */
export const walkDrafts = Effect.fnUntraced(function* ({ client, deliverAll }: DraftsPage) {
  const open = (name: string) => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    const field = { show: (text: string) => drafts.set("s", text), isHeld: () => false }
    const { api, events } = client
    const deviceId = `${name}.1`
    const sync = createDraftSync({ api, events, drafts, storage, sessionKey: "s", deviceId, field, now: () => 0 })
    return { drafts, sync }
  }
  const one = open("one")
  const other = open("other")
  one.drafts.set("s", "begun")
  one.sync.flush()
  yield* Effect.promise(() =>
    vi.waitFor(async () => {
      await Effect.runPromise(deliverAll)
      assert.strictEqual(other.drafts.get("s"), "begun")
    })
  )
  assert.deepInclude(other.sync.note.get(), { kind: "taken", from: "device" })
  one.sync.dispose()
  other.sync.dispose()
})
