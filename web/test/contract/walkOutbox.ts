import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import type { Client } from "../../src/core/client/Client.ts"
import type { OutboxMessage } from "../../src/core/outbox/outboxMessage.ts"

interface OutboxPage {
  readonly client: Client
  readonly deliverAll: Effect.Effect<void>
}

const KEY = "agent:main:outbox"
const PIXEL = { fileName: "a.png", mimeType: "image/png", content: "AAAA" }

/** Messages that wait for a time, one that the gateway refuses, and what a person does with them. */
export const walkOutbox = Effect.fnUntraced(function* ({ client, deliverAll }: OutboxPage) {
  const { outbox } = client
  let told = 0
  let now: ReadonlyArray<OutboxMessage> = []
  const stop = outbox.follow(KEY, (messages) => {
    now = messages
    told++
  })
  const send = (text: string, more: object = {}) => {
    const id = randomUUID()
    outbox.send({ id, sessionKey: KEY, text, images: [], mode: "next", at: 0, ...more })
    return id
  }
  const until = (isIt: () => boolean) =>
    Effect.promise(() =>
      vi.waitFor(
        async () => {
          await Effect.runPromise(deliverAll)
          assert.isTrue(isIt(), JSON.stringify(now))
        },
        { timeout: 10_000 }
      )
    )
  const later = { notBefore: 4_000_000_000_000 }
  const first = send("later", { ...later, images: [PIXEL] })
  send("even later", later)
  yield* until(() => now.filter(({ state }) => state === "waiting").length === 2)
  yield* Effect.promise(async () => {
    assert.deepStrictEqual(await outbox.act((store) => store.pictures(first)), { ok: true, value: [PIXEL] })
  })
  const refused = send("not for this gateway", { images: [PIXEL] })
  yield* until(() => now.some(({ id, error }) => id === refused && error !== null))
  const change = { position: 0, text: "not for any gateway", ...later }
  yield* Effect.promise(async () => assert.isTrue((await outbox.act((store) => store.change(refused, change))).ok))
  yield* until(() => now.map(({ text }) => text).join() === "not for any gateway,later,even later")
  // Whoever asks twice is told how it stands.
  const before = told
  outbox.send({ id: refused, sessionKey: KEY, text: "", images: [PIXEL], mode: "next", at: 0 })
  yield* until(() => told > before)
  yield* Effect.promise(async () => {
    for (const { id } of now) assert.isTrue((await outbox.act((store) => store.remove(id))).ok)
  })
  stop()
})
