import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  decodeClose,
  encodeClose,
  encodeFrame,
  OPCODE,
  readHeader,
  readPayload
} from "../../../../../src/http/gateway/proxy/frames/frames.ts"
import { MessageReader } from "../../../../../src/http/gateway/proxy/frames/MessageReader.ts"

const KEY = Buffer.from([0xa1, 0xb2, 0xc3, 0xd4])

describe("examples of RFC 6455, section 5.7", () => {
  it("an unmasked text message", () => {
    assert.strictEqual(encodeFrame(OPCODE.text, Buffer.from("Hello")).toString("hex"), "810548656c6c6f")
  })

  it("a masked text message", () => {
    const key = Buffer.from("37fa213d", "hex")
    assert.strictEqual(encodeFrame(OPCODE.text, Buffer.from("Hello"), key).toString("hex"), "818537fa213d7f9f4d5158")
  })

  it("256 bytes and 64 KiB of binary data", () => {
    assert.strictEqual(encodeFrame(OPCODE.binary, Buffer.alloc(256)).subarray(0, 4).toString("hex"), "827e0100")
    assert.strictEqual(
      encodeFrame(OPCODE.binary, Buffer.alloc(65_536)).subarray(0, 10).toString("hex"),
      "827f0000000000010000"
    )
  })
})

it.effect.prop(
  "what was encoded is read back, masked or not",
  [Schema.String, Schema.Literals([0, 125, 126, 65_535, 65_536]), Schema.Boolean],
  ([text, padding, masked]) =>
    Effect.sync(() => {
      const payload = Buffer.concat([Buffer.from(text), Buffer.alloc(padding, 1)])
      const frame = encodeFrame(OPCODE.binary, payload, masked ? KEY : undefined)
      const header = readHeader(frame, 0)
      assert.isDefined(header)
      assert.isTrue(header !== undefined && readPayload(frame, 0, header).equals(payload))
      for (let cut = 0; cut < (header?.length ?? 0); cut++) assert.isUndefined(readHeader(frame.subarray(0, cut), 0))
    })
)

describe("close frames", () => {
  it("carry code and reason, or neither", () => {
    const frame = encodeClose({ code: 1008, reason: "Target not allowed" })
    assert.deepStrictEqual(decodeClose(frame.subarray(2)), { code: 1008, reason: "Target not allowed" })
    assert.deepStrictEqual(decodeClose(Buffer.alloc(0)), { code: 1005, reason: "" })
  })

  it("never get longer than a control frame may be, and a cut reason stays UTF-8", () => {
    const frame = encodeClose({ code: 4000, reason: "ü".repeat(100) })
    assert.strictEqual(frame.length, 2 + 2 + 122)
    assert.strictEqual(decodeClose(frame.subarray(2)).reason, "ü".repeat(61))
  })
})

describe("messages from bytes", () => {
  const fragments = [
    Buffer.from("0103", "hex"),
    Buffer.from("one"),
    encodeFrame(OPCODE.ping, Buffer.from("?")),
    Buffer.from("8003", "hex"),
    Buffer.from("two")
  ]

  it("fragments become one message, with the bytes it took", () => {
    const reader = new MessageReader(100)
    const bytes = Buffer.concat([...fragments, Buffer.from("rest")])
    for (const byte of bytes.subarray(0, -5)) {
      reader.push(Buffer.from([byte]))
      assert.isUndefined(reader.next())
    }
    reader.push(bytes.subarray(-5))
    const frame = reader.next()
    assert.isTrue(frame?._tag === "message" && frame.payload.toString() === "onetwo")
    assert.isTrue(frame?._tag === "message" && frame.raw.equals(Buffer.concat(fragments)))
    assert.strictEqual(reader.rest().toString(), "rest")
    assert.strictEqual(reader.rest().length, 0)
  })

  const damaged: Record<string, Buffer> = {
    "a reserved bit": Buffer.from("c10161", "hex"),
    "an opcode that does not exist": Buffer.from("830161", "hex"),
    "a continuation of nothing": Buffer.from("800161", "hex"),
    "a ping in fragments": Buffer.from("090161", "hex"),
    "a ping that is too long": Buffer.concat([Buffer.from("897e0080", "hex"), Buffer.alloc(128)]),
    "a message over the limit": encodeFrame(OPCODE.text, Buffer.alloc(101)),
    "a length beyond all numbers": Buffer.from("827fffffffffffffffff", "hex")
  }
  for (const [name, bytes] of Object.entries(damaged)) {
    it(`${name} is opaque, and its bytes are kept`, () => {
      const reader = new MessageReader(100)
      reader.push(bytes)
      assert.deepStrictEqual(reader.next(), { _tag: "opaque" })
      assert.deepStrictEqual(reader.next(), { _tag: "opaque" })
      assert.isTrue(reader.rest().equals(bytes))
    })
  }
})
