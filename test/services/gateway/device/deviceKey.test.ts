import { assert, describe, it } from "@effect/vitest"
import {
  decodeDeviceKey,
  deviceKeyFromSeed,
  encodeDeviceKey,
  generateDeviceKey,
  signText
} from "../../../../src/services/gateway/device/deviceKey.ts"

const key = deviceKeyFromSeed(new Uint8Array(32).fill(1))
const other = deviceKeyFromSeed(new Uint8Array(32).fill(2))

it("the identity file gives the same key back", () => {
  const read = decodeDeviceKey(encodeDeviceKey(key))
  assert.strictEqual(read?.id, key.id)
  assert.strictEqual(read?.publicKey, key.publicKey)
  assert.strictEqual(read === undefined ? "" : signText(read, "text"), signText(key, "text"))
})

it("two new keys differ", () => {
  assert.notStrictEqual(generateDeviceKey().id, generateDeviceKey().id)
})

describe("a damaged identity file is recognised:", () => {
  const good = encodeDeviceKey(key)
  const cases: Record<string, string> = {
    "an empty file": "",
    "half a file": good.slice(0, good.length / 2),
    "zero bytes": "\0".repeat(good.length),
    "JSON of another kind": "[]",
    null: "null",
    "another version": good.replace('"version":1', '"version":2'),
    "an id that is not the key's": good.replace(key.id, other.id),
    "a public key that is not the key's": good.replace(key.publicKey, other.publicKey),
    "a short private key": good.replace(/"privateKey":"[^"]{3}/, '"privateKey":"')
  }
  for (const [name, text] of Object.entries(cases)) {
    it(name, () => assert.isUndefined(decodeDeviceKey(text)))
  }
})
