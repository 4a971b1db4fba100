import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { hashPassword } from "../../../../src/services/access/auth/passwordHash.ts"
import { asking, initialize } from "../../../support/agentInMemory.ts"
import { makeApp } from "../../../support/makeApp.ts"

/** More than any store remembers. */
const FLOOD = 10_100

/** Paths that nobody has asked for before: made up, real ones with made-up parameters, and with queries. */
const madeUp = (index: number): string => {
  const forms = [
    `/api/x${index}`,
    `/api/kanban/tasks/${index}`,
    `/api/drafts/${index}?x=${index}`,
    `/api/gateways/${index}`,
    `/api/uploads/${index}?x`,
    `/api/auth/${index}`
  ]
  return forms[index % forms.length] ?? "/api"
}

it.effect(
  "no flood of made-up paths washes away the failed sign-ins or the calls of an agent",
  () =>
    Effect.gen(function* () {
      const passwordHash = Redacted.make(yield* hashPassword("open sesame"))
      const app = yield* makeApp({ settings: { authEnabled: true, passwordHash } })
      const login = (password: string) =>
        app.request("/api/auth/login", { method: "POST", body: JSON.stringify({ password }) })
      const cookie = (yield* login("open sesame")).headers.get("set-cookie")?.split(";")[0] ?? ""
      const created = yield* app.request("/api/mcp/tokens", {
        method: "POST",
        headers: { cookie },
        body: JSON.stringify({ name: "busy", rights: ["read"] })
      })
      const authorization = `Bearer ${Object(yield* app.json(created)).token}`
      const call = Effect.map(app.request("/mcp", asking(initialize, { authorization })), ({ status }) => status)

      for (let index = 0; index < 5; index++) assert.strictEqual((yield* login(`wrong ${index}`)).status, 401)
      for (let index = 0; index < 120; index++) assert.strictEqual(yield* call, 200)
      for (let index = 0; index < FLOOD; index++) yield* app.request(madeUp(index))

      assert.strictEqual((yield* login("wrong again")).status, 429)
      assert.strictEqual((yield* login("open sesame")).status, 429)
      assert.strictEqual(yield* call, 429)
    }),
  60_000
)
