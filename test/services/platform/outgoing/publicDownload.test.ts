import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { publicDownload } from "../../../../src/services/platform/outgoing/OutgoingHttp.ts"

interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A client that is answered with a redirect where there's one for the address. */
const leading = (to: (url: string) => string | undefined) => {
  const asked: Array<Asked> = []
  const client = HttpClient.make((request, url) => {
    asked.push({ url: url.href, headers: { ...request.headers } })
    const location = to(url.href)
    const answer =
      location === undefined ? new Response("model") : new Response("", { status: 302, headers: { location } })
    return Effect.succeed(HttpClientResponse.fromWeb(request, answer))
  })
  return { client, asked }
}

it.effect("goes where a hub says the file is, with no header but the wish for its rest", () =>
  Effect.gen(function* () {
    const { asked, client } = leading((url) => (url.includes("hub") ? "https://cdn.example/model?signed" : undefined))
    const response = yield* publicDownload(client, "https://hub.example/model", 7)
    assert.strictEqual(yield* response.text, "model")
    assert.deepStrictEqual(
      asked.map(({ url }) => url),
      ["https://hub.example/model", "https://cdn.example/model?signed"]
    )
    for (const { headers } of asked) {
      assert.strictEqual(headers.range, "bytes=7-")
      assert.doesNotHaveAnyKeys(headers, ["authorization", "cookie"])
    }
  })
)

it.effect("leaves HTTPS for nobody", () =>
  Effect.gen(function* () {
    const { asked, client } = leading(() => "http://127.0.0.1:18789/")
    assert.strictEqual((yield* publicDownload(client, "https://hub.example/model", 0)).status, 302)
    assert.lengthOf(asked, 1)
  })
)

it.effect("ends after five redirects", () =>
  Effect.gen(function* () {
    const { asked, client } = leading((url) => `${url}x`)
    assert.strictEqual((yield* publicDownload(client, "https://hub.example/model", 0)).status, 302)
    assert.lengthOf(asked, 6)
  })
)
