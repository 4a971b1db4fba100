import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { FrameWalker } from "../../../../../src/http/gateway/proxy/frames/FrameWalker.ts"
import { encodeClose, encodeFrame, OPCODE } from "../../../../../src/http/gateway/proxy/frames/frames.ts"

const LIMIT = 1_000_000
const KEY = Buffer.from([1, 2, 3, 4])

/** Walks the bytes in chunks of the given sizes, offering again what was not forwarded, and gives what was. */
const walkAll = (bytes: Buffer, sizes: ReadonlyArray<number>, walker: FrameWalker) => {
  const forwarded: Array<Buffer> = []
  const gaps: Array<number> = []
  let carry = Buffer.alloc(0)
  let at = 0
  let passed = 0
  for (let n = 0; at < bytes.length; n++) {
    const size = Math.max(1, sizes[n % Math.max(sizes.length, 1)] ?? 1)
    const chunk = Buffer.concat([carry, bytes.subarray(at, at + size)])
    at += size
    const whole = walker.walk(chunk)
    forwarded.push(chunk.subarray(0, whole))
    carry = chunk.subarray(whole)
    if (walker.boundary >= 0) gaps.push(passed + walker.boundary)
    passed += whole
  }
  return { bytes: Buffer.concat([...forwarded, carry]), gaps }
}

const Length = Schema.Literals([0, 1, 125, 126, 300, 2000])
const Size = Schema.Literals([1, 2, 3, 7, 14, 500, 66_000])

it.effect.prop(
  "whatever the chunks are, every byte passes once and every gap lies between two frames",
  [Schema.Array(Length).check(Schema.isMaxLength(12)), Schema.Array(Size).check(Schema.isMaxLength(6)), Schema.Boolean],
  ([lengths, sizes, masked]) =>
    Effect.sync(() => {
      const frames = lengths.map((length) =>
        encodeFrame(OPCODE.binary, Buffer.alloc(length, 0x81), masked ? KEY : undefined)
      )
      const bytes = Buffer.concat(frames)
      const ends = new Set([0])
      let end = 0
      for (const frame of frames) {
        end += frame.length
        ends.add(end)
      }
      const walker = new FrameWalker(LIMIT)
      const walked = walkAll(bytes, sizes, walker)
      assert.isTrue(walked.bytes.equals(bytes))
      for (const gap of walked.gaps) assert.isTrue(ends.has(gap))
      assert.strictEqual(walker.messages, lengths.length)
      assert.strictEqual(
        walker.payloadBytes,
        lengths.reduce<number>((sum, length) => sum + length, 0)
      )
      assert.isTrue(walker.atBoundary)
    })
)

describe("a message over the limit", () => {
  const long = encodeFrame(OPCODE.text, Buffer.alloc(11))

  it("stops the walk before its first byte", () => {
    const walker = new FrameWalker(10)
    const before = encodeFrame(OPCODE.text, Buffer.alloc(10))
    assert.strictEqual(walker.walk(Buffer.concat([before, long])), before.length)
    assert.isTrue(walker.oversized)
  })

  it("is noticed in its fragments too", () => {
    const walker = new FrameWalker(10)
    const start = encodeFrame(OPCODE.text, Buffer.alloc(6))
    start.writeUInt8(OPCODE.text, 0)
    const more = encodeFrame(OPCODE.continuation, Buffer.alloc(5))
    assert.strictEqual(walker.walk(Buffer.concat([start, more])), start.length)
    assert.isTrue(walker.oversized)
  })
})

it("control frames are no messages, and a close frame is noticed", () => {
  const walker = new FrameWalker(LIMIT)
  walker.walk(encodeFrame(OPCODE.ping, Buffer.from("x")))
  assert.deepInclude(walker, { messages: 0, payloadBytes: 0, closing: false })
  walker.walk(encodeClose({ code: 1000, reason: "bye" }, KEY))
  assert.isTrue(walker.closing)
})

it("a length of 64 bits is followed as well", () => {
  const walker = new FrameWalker(LIMIT)
  const bytes = Buffer.concat([
    encodeFrame(OPCODE.text, Buffer.alloc(65_536), KEY),
    encodeFrame(OPCODE.text, Buffer.from("x"), KEY)
  ])
  assert.isTrue(walkAll(bytes, [9, 1, 70_000], walker).bytes.equals(bytes))
  assert.deepInclude(walker, { messages: 2, payloadBytes: 65_537, atBoundary: true })
})

it("inside a frame there is no gap", () => {
  const walker = new FrameWalker(LIMIT)
  const frame = encodeFrame(OPCODE.text, Buffer.alloc(100))
  walker.walk(frame.subarray(0, 50))
  assert.isFalse(walker.atBoundary)
  walker.walk(frame.subarray(50, 60))
  assert.strictEqual(walker.boundary, -1)
})
