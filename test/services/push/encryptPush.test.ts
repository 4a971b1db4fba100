import { createECDH, randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { encryptPush, MAX_PAYLOAD, readReceiverKeys } from "../../../src/services/push/encryptPush.ts"
import { decryptPush } from "../../support/decryptPush.ts"

const bytes = (text: string) => Buffer.from(text, "base64url")
const curve = () => createECDH("prime256v1")

/** The example of RFC 8291 §5. */
const EXAMPLE = {
  text: "When I grow up, I want to be a watermelon",
  sender: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  receiver: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
}

describe("encryption of push messages", () => {
  it("gives the bytes of the standard's example", () => {
    const sender = curve()
    sender.setPrivateKey(bytes(EXAMPLE.sender))
    const keys = readReceiverKeys(EXAMPLE)
    if (keys === undefined) throw new Error("the example's keys weren't read")
    const body = encryptPush(Buffer.from(EXAMPLE.text), keys, { sender, salt: bytes(EXAMPLE.salt) })
    assert.strictEqual(body.toString("base64url"), EXAMPLE.body)
    const receiver = curve()
    receiver.setPrivateKey(bytes(EXAMPLE.receiver))
    assert.strictEqual(decryptPush(body, { receiver, auth: keys.auth }).toString(), EXAMPLE.text)
  })

  it("has new keys for each message, which only their browser can read", () => {
    const receiver = curve()
    const keys = { p256dh: receiver.generateKeys(), auth: randomBytes(16) }
    const [first, second] = [encryptPush(Buffer.from("a"), keys), encryptPush(Buffer.from("a"), keys)]
    assert.notDeepEqual(first.subarray(0, 86), second.subarray(0, 86))
    assert.strictEqual(decryptPush(second, { receiver, auth: keys.auth }).toString(), "a")
    const other = curve()
    other.generateKeys()
    assert.throws(() => decryptPush(first, { receiver: other, auth: keys.auth }))
    first.writeUInt8(first.readUInt8(100) ^ 1, 100)
    assert.throws(() => decryptPush(first, { receiver, auth: keys.auth }))
  })

  it("fills a body of 4,096 bytes at most", () => {
    const keys = { p256dh: curve().generateKeys(), auth: randomBytes(16) }
    assert.strictEqual(encryptPush(Buffer.alloc(MAX_PAYLOAD), keys).length, 4_096)
    assert.throws(() => encryptPush(Buffer.alloc(MAX_PAYLOAD + 1), keys))
  })

  it.each([
    ["a key that is too short", { p256dh: "BCVx", auth: EXAMPLE.auth }],
    ["a point that isn't on the curve", { p256dh: Buffer.alloc(65, 4).toString("base64url"), auth: EXAMPLE.auth }],
    ["the point at infinity", { p256dh: Buffer.alloc(65).toString("base64url"), auth: EXAMPLE.auth }],
    ["a secret of another length", { p256dh: EXAMPLE.p256dh, auth: "BTBZ" }],
    ["text that isn't base64url", { p256dh: EXAMPLE.p256dh, auth: "BTBZMqHH6r4Tts7J/aSIgg" }],
    ["nothing", { p256dh: "", auth: "" }]
  ])("takes no browser's keys with %s", (_, keys) => {
    assert.isUndefined(readReceiverKeys(keys))
  })
})
