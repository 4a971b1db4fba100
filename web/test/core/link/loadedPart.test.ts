import { assert, it } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { loadedPart, NOT_LOADED } from "../../../src/core/link/loadedPart.ts"

const partOf = (failures: number) => {
  const connected = createObservable(false)
  const counts = { made: 0, disposed: 0 }
  const part = loadedPart({ connected }, async () => {
    if (counts.made++ < failures) throw new Error("no chunk")
    return { dispose: () => void counts.disposed++ }
  })
  return { part, connected, counts }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

it("a part of the page is loaded once, with the first connection", async () => {
  const { part, connected, counts } = partOf(0)
  await settled()
  assert.strictEqual(counts.made, 0)
  connected.set(true)
  connected.set(false)
  connected.set(true)
  assert.deepStrictEqual(await part.act(async () => ({ ok: true, value: 3 })), { ok: true, value: 3 })
  assert.strictEqual(counts.made, 1)
})

it("one that didn't arrive says so, and is loaded again at the next use", async () => {
  const { part, connected, counts } = partOf(2)
  connected.set(true)
  await settled()
  assert.deepStrictEqual(await part.act(async () => ({ ok: true, value: 3 })), NOT_LOADED)
  await part.load()
  assert.strictEqual(counts.made, 3)
})

it("ends what was loaded, and loads nothing after that", async () => {
  const { part, connected, counts } = partOf(0)
  await part.load()
  part.dispose()
  connected.set(true)
  await settled()
  assert.deepStrictEqual(counts, { made: 1, disposed: 1 })
})
