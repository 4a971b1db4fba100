import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { FrameWalker } from "../../../../../src/http/gateway/proxy/frames/FrameWalker.ts"
import { encodeFrame, OPCODE } from "../../../../../src/http/gateway/proxy/frames/frames.ts"
import { ByteQueue, MessageReader, type PeerFrame } from "../../../../../src/http/gateway/proxy/frames/MessageReader.ts"

const KEY = Buffer.from([1, 2, 3, 4])

/** A frame that may be a part of a message. */
const frame = (opcode: number, length: number, isFinal: boolean, isMasked: boolean): Buffer => {
  const bytes = encodeFrame(opcode, Buffer.alloc(length, length), isMasked ? KEY : undefined)
  if (!isFinal) bytes.writeUInt8(opcode, 0)
  return bytes
}

const said = (one: PeerFrame) =>
  one._tag === "opaque" ? "opaque" : [one._tag, one.opcode, one.payload.toString("hex"), one.raw.toString("hex")]

/** What a reader makes of the bytes in chunks of these sizes, and what it keeps. */
const readIn = (bytes: Buffer, sizes: ReadonlyArray<number>) => {
  const reader = new MessageReader(100_000)
  const frames: Array<unknown> = []
  let at = 0
  for (let n = 0; at < bytes.length; n++) {
    const size = sizes[n % Math.max(sizes.length, 1)] ?? bytes.length
    reader.push(bytes.subarray(at, at + size))
    at += size
    for (let one = reader.next(); one !== undefined; one = reader.next()) {
      frames.push(said(one))
      if (one._tag === "opaque") return { frames, rest: Buffer.concat([reader.rest(), bytes.subarray(at)]) }
    }
  }
  return { frames, rest: reader.rest() }
}

const Part = Schema.Struct({
  length: Schema.Literals([0, 0, 1, 125, 126, 3000, 66_000]),
  fragments: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
  hasPing: Schema.Boolean,
  isDamaged: Schema.Literals([false, false, false, true])
})
const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))

it.effect.prop(
  "every chunking gives the same messages and the same rest",
  [Schema.Array(Part).check(Schema.isMaxLength(6)), Schema.Array(Size).check(Schema.isMaxLength(8)), Schema.Boolean],
  ([parts, sizes, isMasked]) =>
    Effect.sync(() => {
      const bytes = Buffer.concat([
        ...parts.flatMap(({ fragments, hasPing, isDamaged, length }) => [
          ...Array.from({ length: fragments }, (_, n) =>
            frame(n === 0 ? OPCODE.text : OPCODE.continuation, length, n === fragments - 1, isMasked)
          ).flatMap((one, n) => (hasPing && n === 1 ? [frame(OPCODE.ping, 5, true, isMasked), one] : [one])),
          ...(isDamaged ? [Buffer.from("0900", "hex")] : [])
        ]),
        Buffer.from("81", "hex")
      ])
      const whole = readIn(bytes, [])
      assert.deepStrictEqual(readIn(bytes, sizes), whole)
      assert.deepStrictEqual(readIn(bytes, [1]), whole)
    })
)

it.effect.prop(
  "a queue gives the bytes back in their order, whatever they come and are taken in",
  [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }))), Schema.Array(Size)],
  ([pushes, takes]) =>
    Effect.sync(() => {
      const queue = new ByteQueue()
      const given: Array<number> = []
      const taken: Array<Buffer> = []
      for (const [n, size] of pushes.entries()) {
        const bytes = Buffer.from(Array.from({ length: size }, (_, index) => (given.length + index) & 0xff))
        given.push(...bytes)
        queue.push(bytes)
        const count = takes[n] ?? 0
        const next = queue.peek(count)
        const got = queue.take(count)
        assert.isTrue(next.equals(got))
        taken.push(got)
      }
      const { length } = queue
      taken.push(queue.take(length + 1))
      assert.strictEqual(queue.length, 0)
      assert.isTrue(Buffer.concat(taken).equals(Buffer.from(given)))
    })
)

describe("what costs no more the longer it gets", () => {
  // Read from its start at each chunk, either would take minutes.
  it("a message of 500,000 empty fragments, in chunks of 64 bytes", () => {
    const reader = new MessageReader(100)
    reader.push(Buffer.from("0100", "hex"))
    for (let n = 0; n < 15_625; n++) {
      reader.push(Buffer.alloc(64))
      assert.isUndefined(reader.next())
    }
    assert.strictEqual(reader.frames, 500_001)
  })

  it("a long message that comes byte by byte", () => {
    const reader = new MessageReader(4_000_000)
    reader.push(Buffer.from("827f00000000003d0900", "hex"))
    for (let n = 1; n < 4_000_000; n++) {
      reader.push(Buffer.alloc(1))
      if (n % 1000 === 0) assert.isUndefined(reader.next())
    }
    assert.strictEqual(reader.pending, 10 + 3_999_999)
  })
})

describe("what a walker finds wrong", () => {
  const walked = (bytes: Buffer) => {
    const walker = new FrameWalker(1000)
    walker.walk(bytes)
    return walker
  }

  it("a control frame of more than 125 bytes or in fragments, and where it begins", () => {
    const before = encodeFrame(OPCODE.text, Buffer.alloc(20))
    for (const hex of ["897e007e", "0900", "088205", "8afe0080", "8a7fffffffffffffffff"]) {
      const walker = walked(Buffer.concat([before, Buffer.from(hex, "hex"), Buffer.alloc(4)]))
      assert.deepInclude(walker, { fault: "control", faultAt: before.length }, hex)
    }
    assert.isUndefined(walked(encodeFrame(OPCODE.ping, Buffer.alloc(125))).fault)
  })

  it("the 1,001st frame that carries nothing, unless some time has passed", () => {
    const pings = (count: number) => Buffer.alloc(2 * count, Buffer.from("8900", "hex"))
    assert.isUndefined(walked(pings(1000)).fault)
    assert.deepInclude(walked(pings(1001)), { fault: "flood", faultAt: 2000 })
    const walker = walked(pings(1000))
    walker.calm()
    walker.walk(pings(1000))
    assert.isUndefined(walker.fault)
    walker.walk(pings(1))
    assert.strictEqual(walker.fault, "flood")
  })

  it("empty messages and fragments are such frames; an empty end of a message isn't, nor is a short message", () => {
    assert.strictEqual(walked(Buffer.alloc(2002, Buffer.from("8100", "hex"))).fault, "flood")
    assert.strictEqual(walked(Buffer.concat([Buffer.from("0100", "hex"), Buffer.alloc(2000)])).fault, "flood")
    assert.isUndefined(walked(Buffer.alloc(500_000, Buffer.from("0101788000", "hex"))).fault)
    assert.isUndefined(walked(Buffer.alloc(300_000, Buffer.from("810178", "hex"))).fault)
    assert.strictEqual(walked(Buffer.alloc(3_000_003, Buffer.from("810178", "hex"))).fault, "flood")
  })
})
