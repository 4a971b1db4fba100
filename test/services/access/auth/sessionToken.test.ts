import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readCookies, readSession, signSession } from "../../../../src/services/access/auth/Auth.ts"

const secret = Buffer.alloc(32, 7)

it("a signed expiry is read back with the same secret only", () => {
  const token = signSession(1_700_000_000_000, secret)
  assert.strictEqual(readSession(token, secret), 1_700_000_000_000)
  assert.strictEqual(readSession(token, Buffer.alloc(32, 8)), undefined)
  assert.strictEqual(token.split(".")[0], "1700000000000")
})

it("a changed expiry, a cut or padded signature and huge values are no session", () => {
  const token = signSession(1_700_000_000_000, secret)
  const damaged = [
    token.replace("17", "18"),
    token.slice(0, -1),
    `${token}0`,
    token.toUpperCase(),
    `${token}${"a".repeat(100_000)}`,
    token.replace(".", "%2E"),
    "",
    "."
  ]
  for (const value of damaged) assert.strictEqual(readSession(value, secret), undefined, value.slice(0, 90))
})

it.effect.prop("no text makes the cookie reader fail", [Schema.String, Schema.String], ([header, name]) =>
  Effect.sync(() => {
    for (const value of readCookies(header, name)) assert.strictEqual(readSession(value, secret), undefined)
  })
)

it("every cookie of the name is found, as sent and without its neighbours", () => {
  assert.deepStrictEqual(readCookies("a=1; svc=x%ZZ; svc =y; svcx=z; =q; b", "svc"), ["x%ZZ", "y"])
  assert.deepStrictEqual(readCookies(undefined, "svc"), [])
})
