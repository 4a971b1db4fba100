import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeApp } from "../../../support/makeApp.ts"

const form = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(fields).toString()
})

it.effect("gives a document back in a frame without rights, under a policy of its own", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const html = `<p title='x'>"quoted" &amp; so</p>"><script>alert(1)</script>`
    const response = yield* app.request("/api/preview", form({ html }))
    assert.strictEqual(response.status, 200)
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/)
    const policy = response.headers.get("content-security-policy") ?? ""
    const rules = ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]
    for (const rule of [...rules, "webrtc 'block'"]) assert.include(policy, rule)
    assert.strictEqual(response.headers.get("connection-allowlist"), "()")
    assert.match(policy, /; sandbox allow-scripts$/)
    assert.notInclude(policy, "self")
    assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
    const page = yield* Effect.promise(() => response.text())
    const [, attributes = "", document = ""] =
      /<iframe ([^>]*?) srcdoc="([^"]*)"><\/iframe><\/body><\/html>$/.exec(page) ?? []
    assert.include(attributes, 'sandbox="allow-scripts"')
    assert.strictEqual(document.replaceAll("&quot;", '"').replaceAll("&amp;", "&"), html)
  })
)

it.effect("refuses nothing to show, another site, and somebody who isn't signed in", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    assert.strictEqual((yield* app.request("/api/preview", form({ html: " " }))).status, 400)
    assert.strictEqual((yield* app.request("/api/preview", form({ other: "x" }))).status, 400)
    const cross = form({ html: "x" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })
    assert.strictEqual((yield* app.request("/api/preview", cross)).status, 403)
    const closed = yield* makeApp({ settings: { authEnabled: true } })
    assert.strictEqual((yield* closed.request("/api/preview", form({ html: "x" }))).status, 401)
  })
)
