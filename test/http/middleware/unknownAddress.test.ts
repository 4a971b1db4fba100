import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeApp } from "../../support/makeApp.ts"

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
const NAME = "box.tail1234.ts.net"

it.effect("a console without sign-in opened at an unknown address shows the line that allows it", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const open = Effect.fnUntraced(function* (host: string, more: Record<string, string> = {}, peer = "127.0.0.1") {
      const response = yield* app.request("/board", { headers: { host, accept: ACCEPT, ...more }, peer })
      assert.strictEqual(response.status, 403)
      assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      const page = yield* Effect.promise(() => response.text())
      return /<pre>(.*)<\/pre>/.exec(page)?.[1]
    })
    const proto = { "x-forwarded-proto": "https", "x-forwarded-for": "8.8.8.8" }
    assert.strictEqual(yield* open(NAME, proto), `ALLOWED_ORIGINS=https://${NAME}`)
    assert.strictEqual(yield* open(`${NAME}:8443`, proto), `ALLOWED_ORIGINS=https://${NAME}:8443`)
    assert.strictEqual(yield* open(NAME, { "sec-fetch-mode": "navigate" }), `ALLOWED_ORIGINS=https://${NAME}`)
    assert.strictEqual(yield* open("nas.example:3080"), "ALLOWED_ORIGINS=http://nas.example:3080")
    assert.strictEqual(yield* open("nas.example:80"), "ALLOWED_ORIGINS=http://nas.example")
    assert.strictEqual(yield* open(NAME, proto, "8.8.8.8"), `ALLOWED_ORIGINS=http://${NAME}`)
    // Added as instructed, the address is accepted.
    const allowed = yield* makeApp({ settings: { allowedOrigins: [`https://${NAME}`] } })
    const answer = yield* allowed.request("/board", { headers: { host: NAME, accept: ACCEPT, ...proto } })
    assert.notStrictEqual(answer.status, 403)
  })
)

it.effect("no markup of a made-up host gets into that page, and programs get JSON", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    for (const host of [
      "<script>alert(1)</script>",
      "a'b.example",
      'a"b.example',
      "a b",
      "",
      "x:y:z",
      "a&amp;b.example"
    ]) {
      const response = yield* app.request("/", { headers: { host, accept: ACCEPT } })
      assert.strictEqual(response.status, 403, host)
      const body = yield* Effect.promise(() => response.text())
      assert.notMatch(body, /<script|alert\(1\)<|a"b|a'b/)
    }
    for (const [path, init] of [
      ["/board", { headers: { host: NAME, accept: "*/*" } }],
      ["/api/version", { headers: { host: NAME, accept: ACCEPT } }],
      ["/board", { method: "POST", headers: { host: NAME, accept: ACCEPT } }]
    ] as const) {
      const response = yield* app.request(path, init)
      assert.strictEqual(response.status, 403)
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/)
      yield* Effect.promise(() => response.text())
    }
  })
)
