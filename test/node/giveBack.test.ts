import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { giveBack } from "../../src/node/takeOver.ts"

const BYTES = 65_536
const read = (bytes = BYTES) => Buffer.from(new ArrayBuffer(bytes))

it("frees a chunk that the system has taken", () => {
  const chunk = read()
  giveBack(chunk, new Socket())
  assert.lengthOf(chunk, 0)
})

it("leaves what others may read: a part of a chunk, a small one, and one that still waits", () => {
  const whole = read()
  for (const part of [whole.subarray(0, BYTES - 1), whole.subarray(1)]) giveBack(part, new Socket())
  assert.lengthOf(whole, BYTES)
  const small = read(1024)
  giveBack(small, new Socket())
  assert.lengthOf(small, 1024)
  const busy = new Socket()
  busy.cork()
  busy.write("still waiting")
  giveBack(whole, busy)
  assert.lengthOf(whole, BYTES)
})
