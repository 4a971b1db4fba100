import { assert, describe, it } from "@effect/vitest"
import {
  decodeVapidKey,
  encodeVapidKey,
  generateVapidKey,
  vapidHeader
} from "../../../src/services/push/VapidIdentity.ts"
import { checkVapid } from "../../support/checkVapid.ts"

const ORIGIN = "https://updates.push.services.mozilla.com"
const NOW = 1_800_000_000_000
const to = (audience: string) => ({ audience, contact: "mailto:a@example.com", now: NOW })

describe("the console's key for push services", () => {
  it("signs for one origin and half a day", () => {
    const key = generateVapidKey()
    const header = vapidHeader(key, to(ORIGIN))
    assert.strictEqual(checkVapid(header, ORIGIN, NOW), key.publicKey)
    assert.throws(() => checkVapid(header, "https://fcm.googleapis.com", NOW), /signed for/)
    assert.throws(() => checkVapid(header, ORIGIN, NOW + 13 * 60 * 60 * 1000), /valid for/)
    const other = generateVapidKey()
    assert.throws(() => checkVapid(header.replace(/k=.*/, `k=${other.publicKey}`), ORIGIN, NOW), /not signed/)
  })

  it("is the same after its file was read", () => {
    const key = generateVapidKey()
    const read = decodeVapidKey(encodeVapidKey(key))
    assert.strictEqual(read?.publicKey, key.publicKey)
    if (read !== undefined) assert.strictEqual(checkVapid(vapidHeader(read, to(ORIGIN)), ORIGIN, NOW), key.publicKey)
  })

  it("isn't read from a damaged file", () => {
    const text = encodeVapidKey(generateVapidKey())
    for (const damaged of ["", "{}", text.slice(0, 60), text.replace(/"d":"..../, '"d":"')]) {
      assert.isUndefined(decodeVapidKey(damaged))
    }
  })
})
