import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OUTGOING, SECRET, saidBy } from "../../../support/outgoingClients.ts"
import { httpStandIn } from "../../../support/voice/httpStandIn.ts"

const STATUSES = [301, 302, 303, 307, 308]

describe.each(Object.keys(OUTGOING))("a redirect in the answer to %s", (name) => {
  it.live.each(STATUSES)("with status %i leads nowhere, and no secret into a sentence", (status) =>
    Effect.gen(function* () {
      const elsewhere = yield* httpStandIn((_, response) => response.end("{}"))
      const asked = yield* httpStandIn((request, response) =>
        response.writeHead(status, { location: `${elsewhere.url}${request.url}?${SECRET}` }).end()
      )
      const said = yield* saidBy(OUTGOING[name]?.(asked.url) ?? Effect.void)
      assert.isNotEmpty(asked.seen)
      assert.deepStrictEqual(
        elsewhere.seen.map(({ method, url }) => `${method} ${url}`),
        []
      )
      assert.notInclude(said, SECRET)
      assert.notInclude(said, elsewhere.url)
    })
  )
})

describe("a redirect in a later answer of the second vendor", () => {
  const started = { id: "p1", status: "starting" }
  it.live.each([
    { step: "about how far it is", path: "/predictions/p1", first: started },
    { step: "with the audio", path: "/made.mp3", first: { id: "p1", status: "succeeded", output: "{own}/made.mp3" } }
  ])("$step leads nowhere", ({ first, path }) =>
    Effect.gen(function* () {
      const elsewhere = yield* httpStandIn((_, response) => response.end("{}"))
      const vendor = yield* httpStandIn(({ headers, method, url }, response) => {
        if (method === "POST") return response.end(JSON.stringify(first).replace("{own}", `http://${headers.host}`))
        return response.writeHead(302, { location: `${elsewhere.url}${url}` }).end()
      })
      const said = yield* saidBy(OUTGOING["the second vendor's speech"]?.(vendor.url) ?? Effect.void)
      assert.include(
        vendor.seen.map(({ url }) => url),
        path
      )
      assert.deepStrictEqual(elsewhere.seen, [])
      assert.include(said, "answered with a redirect")
    })
  )
})
