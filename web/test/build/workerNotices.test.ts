import { assert, describe, it } from "@effect/vitest"
import { redirected, workerInMemory } from "../support/workerInMemory.ts"

const ID = "approval-1"
const DATA = {
  id: ID,
  path: `/inbox/${ID}`,
  actions: [
    { id: "allow-once", label: "Allow", opens: false },
    { id: "deny", label: "Deny" }
  ]
}

const html = (status: number) => new Response("<p>Sign in", { status, headers: { "content-type": "text/html" } })
const json = (status: number, body: unknown) => Response.json(body, { status })

/** What the worker shows and opens after a button, given what answers. */
const press = async (action: string, answer: () => Response) => {
  const asked: Array<string> = []
  const worker = workerInMemory({
    files: {},
    shell: [],
    later: [],
    answer: (path, { method }) => {
      asked.push(`${method} ${path}`)
      return answer()
    }
  })
  await worker.press(action, DATA)
  assert.deepStrictEqual(asked, [`POST /api/inbox/${ID}/resolve`])
  return { titles: worker.notices.map(({ title }) => title), opened: worker.opened }
}

const FAILED = { titles: ["“Deny” didn't work"], opened: [] }

describe("a button of a notification", () => {
  it("is done when the console says so", async () => {
    const item = { id: ID, state: "resolved", resolution: { action: "deny", by: "console" } }
    assert.deepStrictEqual(await press("deny", () => json(200, item)), { titles: [], opened: [] })
  })

  it.each([
    ["a page", () => html(200)],
    ["a page after a redirect", () => redirected(html(200))],
    ["somebody else's JSON", () => json(200, { ok: true })],
    ["JSON of another item", () => json(200, { id: "approval-2" })],
    ["JSON that is nothing", () => json(200, null)],
    ["JSON that isn't", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["nothing at all", () => new Response(null, { status: 204 })],
    ["a redirect elsewhere", () => Response.error()],
    ["a proxy's 401", () => html(401)],
    ["a proxy's 401 in JSON", () => json(401, { error: "unauthorized" })],
    ["a proxy's 403", () => html(403)],
    ["a proxy's 404", () => new Response("404 page not found", { status: 404 })],
    ["a proxy's 404 in JSON", () => json(404, { message: "no Route matched with those values" })],
    ["a proxy's 409", () => html(409)],
    ["a proxy's 502", () => html(502)],
    ["the console's failure", () => json(503, { error: "board_unavailable" })]
  ])("says that it didn't work when %s answers", async (_name, answer) => {
    assert.deepStrictEqual(await press("deny", answer), FAILED)
    assert.deepStrictEqual(await press("allow-once", answer), { ...FAILED, titles: ["“Allow” didn't work"] })
  })

  it("opens the console once the sign-in there has ended", async () => {
    const ended = () => json(401, { error: "Authentication required" })
    assert.deepStrictEqual(await press("deny", ended), { titles: [], opened: [DATA.path] })
  })

  it.each([
    ["has ended", () => json(404, { error: "not_found", details: "There's no such item." })],
    [
      "was decided otherwise",
      () => json(409, { error: "already_resolved", item: { resolution: { action: "allow-once" } } })
    ]
  ])("says that it came too late when the item %s", async (_name, answer) => {
    assert.deepStrictEqual(await press("deny", answer), { titles: ["Already decided"], opened: [] })
  })

  it("says nothing when somebody decided the same before", async () => {
    const same = () => json(409, { error: "already_resolved", item: { resolution: { action: "deny" } } })
    assert.deepStrictEqual(await press("deny", same), { titles: [], opened: [] })
  })
})
