import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import {
  formatPasswordHash,
  hashPassword,
  parsePasswordHash,
  verifyPassword
} from "../../../../src/services/access/auth/passwordHash.ts"

it.effect("a hash verifies its own password and no other", () =>
  Effect.gen(function* () {
    const text = yield* hashPassword("correct horse")
    const hash = Option.getOrThrow(parsePasswordHash(text))
    assert.strictEqual(hash.salt.length, 32)
    assert.strictEqual(hash.key.length, 64)
    assert.strictEqual(formatPasswordHash(hash), text)
    assert.isTrue(yield* verifyPassword("correct horse", hash))
    assert.isFalse(yield* verifyPassword("correct horse ", hash))
    assert.notStrictEqual(yield* hashPassword("correct horse"), text)
  })
)

it("anything that is not <hex salt>:<hex key> is no hash", () => {
  for (const text of [
    "",
    ":",
    "ab:cd",
    `${"a".repeat(64)}:${"b".repeat(127)}`,
    `${"g".repeat(64)}:${"b".repeat(128)}`
  ]) {
    assert.isTrue(Option.isNone(parsePasswordHash(text)), text)
  }
})
