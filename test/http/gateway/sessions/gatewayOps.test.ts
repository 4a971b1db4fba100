import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"
import { worded } from "../../../support/worded.ts"

for (const generation of ["new", "old"] as const) {
  describe(`gateway operations with a gateway of the ${generation} generation`, () => {
    it.effect("list the models with provider and label", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const { status, body } = yield* app.send("GET", "/api/gateway/models")
        assert.strictEqual(status, 200)
        assert.deepInclude(body.models, { id: "demo/companion", label: "Demo Companion", provider: "demo" })
        for (const model of body.models) assert.sameMembers(Object.keys(model), ["id", "label", "provider"])
      })
    )

    it.effect("report a session's model and thinking level before and after a change", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const key = "agent:main:somewhere"
        const path = `/api/gateway/session-info?sessionKey=${encodeURIComponent(key)}`
        const before = yield* app.send("GET", path)
        assert.strictEqual(before.status, 200)
        assert.strictEqual(before.body.model, "demo/companion")
        assert.isNotEmpty(before.body.thinking)
        const change = { sessionKey: key, model: "demo/scholar", thinkingLevel: "high" }
        const changed = yield* app.send("POST", "/api/gateway/session-patch", change)
        assert.deepStrictEqual(changed, { status: 200, body: { ok: true, model: "demo/scholar", thinking: "high" } })
        assert.deepStrictEqual((yield* app.send("GET", path)).body, { model: "demo/scholar", thinking: "high" })
        const back = yield* app.send("POST", "/api/gateway/session-patch", {
          sessionKey: key,
          model: null,
          thinkingLevel: null
        })
        assert.strictEqual(back.body.model, "demo/companion")
        const { model, thinking } = back.body
        assert.deepStrictEqual((yield* app.send("GET", path)).body, { model, thinking })
      })
    )

    it.effect("speak of the main session when none is named, and know its short name", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        yield* app.send("POST", "/api/gateway/session-patch", { sessionKey: "main", model: "demo/swift" })
        for (const query of ["", "?sessionKey=main", "?sessionKey=agent:main:main"]) {
          assert.strictEqual((yield* app.send("GET", `/api/gateway/session-info${query}`)).body.model, "demo/swift")
        }
      })
    )

    it.effect("answer 400 for a model or a thinking level that the gateway does not have, and change nothing", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const others = generation === "old" ? "" : ", demo/swift, demo/scholar"
        const offered = `choose another one, such as demo/companion${others}.`
        const levels = `off, minimal, low, medium${generation === "old" ? ", high or adaptive" : " or high"}`
        const unsupported = generation === "old" ? "xhigh" : "max"
        for (const [change, details] of [
          [{ model: "nope/none" }, `model: The gateway doesn't have the model "nope/none": ${offered}`],
          [{ model: "demo/none" }, `model: The gateway doesn't have the model "demo/none": ${offered}`],
          [{ model: "none" }, `model: The gateway doesn't have the model "none": ${offered}`],
          [
            { thinkingLevel: "enormous" },
            `thinkingLevel: The model doesn't support the thinking level "enormous": choose ${levels}.`
          ],
          [
            { thinkingLevel: unsupported },
            `thinkingLevel: The model doesn't support the thinking level "${unsupported}": choose ${
              generation === "old" ? "another one" : levels
            }.`
          ]
        ] as const) {
          const refused = yield* app.send("POST", "/api/gateway/session-patch", { sessionKey: "main", ...change })
          assert.strictEqual(refused.status, 400)
          assert.deepStrictEqual(worded(refused.body), { error: "validation_error", details })
        }
        const { body } = yield* app.send("GET", "/api/gateway/session-info")
        assert.strictEqual(body.model, "demo/companion")
        const short = yield* app.send("POST", "/api/gateway/session-patch", { sessionKey: "main", model: "swift" })
        assert.deepInclude(short.body, { ok: true, model: "demo/swift" })
      })
    )

    it.effect("list the skills", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const { status, body } = yield* app.send("GET", "/api/skills")
        assert.strictEqual(status, 200)
        assert.isTrue(body.ok)
        assert.isNotEmpty(body.skills)
        for (const skill of body.skills) {
          const { missing, install, ...fields } = skill
          assert.strictEqual(missing === undefined, skill.eligible)
          assert.isTrue(install === undefined || !skill.eligible)
          assert.deepStrictEqual(
            Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, typeof value])),
            {
              name: "string",
              description: "string",
              emoji: "string",
              eligible: "boolean",
              disabled: "boolean",
              blockedByAllowlist: "boolean",
              bundled: "boolean",
              source: "string",
              homepage: "string"
            }
          )
        }
        const named = (name: string) => body.skills.find((skill: { readonly name: string }) => skill.name === name)
        assert.deepStrictEqual(named("repository").missing.bins, ["gh"])
        assert.deepStrictEqual(named("repository").install, [
          { id: "brew", kind: "brew", label: "Install GitHub CLI (brew)" }
        ])
      })
    )
  })
}

describe("gateway operations", () => {
  it.effect("bodies and queries that do not fit are 400 in the one shape", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      const path = "/api/gateway/session-patch"
      const long = "x".repeat(501)
      for (const body of [
        "{",
        "null",
        "[]",
        "",
        "{}",
        { model: "a/b" },
        { sessionKey: "main" },
        { sessionKey: "", model: "a/b" },
        { sessionKey: long, model: "a/b" },
        { sessionKey: 1, model: "a/b" },
        { sessionKey: "main", model: "" },
        { sessionKey: "main", model: "m".repeat(201) },
        { sessionKey: "main", thinkingLevel: 3 }
      ]) {
        const answer = yield* app.send("POST", path, body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body).slice(0, 60))
        assert.strictEqual(answer.body.error, "validation_error")
        assert.isNotEmpty(answer.body.details)
      }
      for (const query of ["?sessionKey=", `?sessionKey=${long}`]) {
        assert.strictEqual((yield* app.send("GET", `/api/gateway/session-info${query}`)).status, 400)
      }
    })
  )

  it.effect("with no gateway each route is 502 and says so", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      for (const [method, path, body] of [
        ["GET", "/api/gateway/models"],
        ["GET", "/api/gateway/session-info"],
        ["POST", "/api/gateway/session-patch", { sessionKey: "main", model: "a/b" }],
        ["GET", "/api/skills"]
      ] as const) {
        const answer = yield* app.send(method, path, body)
        assert.strictEqual(answer.status, 502, path)
        assert.strictEqual(answer.body.error, "gateway_failure")
        assert.match(answer.body.details, /gateway cannot be reached/)
      }
    })
  )
})
