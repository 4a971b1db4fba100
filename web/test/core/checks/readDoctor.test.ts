import { assert, describe, it } from "@effect/vitest"
import { readDoctor } from "../../../src/core/checks/consoleChecks.ts"
import type { ApiClient } from "../../../src/core/link/apiTypes.ts"
import { asAnswer } from "../support/asAnswer.ts"

const apiAnswering = (body: unknown): Pick<ApiClient, "request"> => ({
  request: async (_method, _path, decode) => {
    const value = decode(asAnswer(body))
    const error = { kind: "shape", status: 200, message: "", retryAfterMs: null, body: null } as const
    return value === null ? { ok: false, error } : { ok: true, value }
  }
})

describe("readDoctor", () => {
  it("reads what the server finds", async () => {
    const checks = [
      { id: "port", title: "Port", state: "problem", detail: "Taken.", fix: "Free it." },
      { id: "node", title: "Node", state: "ok", detail: "24." }
    ]
    assert.deepStrictEqual(await readDoctor(apiAnswering({ checks })), [
      { id: "port", label: "Port", state: "problem", text: "Taken.", advice: "Free it." },
      { id: "node", label: "Node", state: "ok", text: "24.", advice: null }
    ])
  })

  it("is nothing where the server cannot say", async () => {
    for (const body of [{ checks: [] }]) assert.isNull(await readDoctor(apiAnswering(body)))
  })
})
