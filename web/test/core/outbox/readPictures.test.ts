import { assert, describe, it } from "@effect/vitest"
import { readPictures } from "../../../src/core/outbox/OutboxStore.ts"

const FILES = [{ name: "a.png", type: "image/png" }]
const read = (answer: Response) =>
  readPictures({ origin: "http://console.test", fetch: async () => answer }, "id-1", FILES)

describe("the pictures of a message that another page wrote", () => {
  it("are read as they are", async () => {
    const answer = await read(new Response("picture", { headers: { "content-type": "image/png" } }))
    assert.deepStrictEqual(answer, {
      ok: true,
      value: [{ fileName: "a.png", mimeType: "image/png", content: btoa("picture") }]
    })
  })

  it.each([
    ["a sign-in page", new Response("<p>Sign in", { headers: { "content-type": "text/html" } })],
    ["what came after a redirect", Object.defineProperty(new Response("x"), "redirected", { value: true })],
    ["a failure", new Response("x", { status: 404 })]
  ])("are never %s", async (_name, answer) => {
    const done = await read(answer)
    assert.match(done.ok ? "" : done.message, /^Couldn't read the pictures/)
  })
})
