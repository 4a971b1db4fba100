import { assert, it } from "@effect/vitest"
import { retryAfterSeconds } from "../../../../src/services/voice/vendors/vendorCall.ts"

const NOW = Date.UTC(2026, 0, 1)

it.each([
  ["7", 7],
  [" 7 ", 7],
  ["0", 1],
  ["999999", 3600],
  ["Thu, 01 Jan 2026 00:00:09 GMT", 9],
  ["Wed, 31 Dec 2025 00:00:09 GMT", 1],
  ["soon", 10],
  ["", 10],
  [undefined, 10],
  ["-5", 1]
])("Retry-After %s is %d seconds", (header, seconds) => {
  assert.strictEqual(retryAfterSeconds(header, NOW), seconds)
})
