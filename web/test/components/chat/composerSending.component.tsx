import { assert, beforeEach, describe, it } from "@effect/vitest"
import { compose } from "../../../src/base/compose.ts"
import { putBack } from "../../../src/base/putBack.ts"
import { draftImages } from "../../../src/core/composer/draftFiles.ts"
import { chooseLater, modelChoices } from "../../../src/core/composer/modelChoice.ts"
import { followReturned } from "../../../src/shell/followReturned.ts"
import { FakeGateway } from "../../core/support/FakeGateway.ts"
import { openComposer, SESSION } from "../support/openComposer.tsx"
import { until } from "../support/openPage.tsx"

const OTHER = "agent:main:other"
const PIXEL = { fileName: "a.png", mimeType: "image/png", content: "AAAA" }

/** A gateway that answers a chosen model when the test says so. */
const choosingGateway = () => {
  const gateway = new FakeGateway()
  gateway.held.add("sessions.patch")
  chooseLater(SESSION, { model: "demo/scholar" })
  const patch = () => gateway.socket.requests.findLast(({ method }) => method === "sessions.patch")
  return { gateway, patch }
}

beforeEach(() => {
  for (const session of [SESSION, OTHER]) draftImages.set(session, [])
})

describe("what is sent while the model chosen for it is on its way", () => {
  beforeEach(() => modelChoices.set(new Map()))

  it("goes as it stood, and what is written meanwhile stays", async () => {
    const { gateway, patch } = choosingGateway()
    const page = await openComposer({ gateway })
    await page.type("one")
    await page.key("Enter")
    const asked = await until(patch)
    await page.type("two")
    compose({ text: "", images: [PIXEL] })
    await page.find(".composer-picture")
    assert.deepStrictEqual(page.sent(), [])
    gateway.socket.answer(asked, { ok: true })
    await until(() => page.sent().length > 0)
    assert.deepStrictEqual(page.sent(), [["one", 0]])
    assert.strictEqual(page.area.value, "two")
    await until(() => page.saved().at(-1) === "two")
    assert.lengthOf(page.all(".composer-picture"), 1)
    await page.key("Enter")
    await until(() => page.sent().length > 1)
    assert.deepStrictEqual(page.sent()[1], ["two", 1])
    assert.strictEqual(patch(), asked, "it's chosen once")
  })

  it("comes back below what is written meanwhile, with its pictures, if the gateway refuses the model", async () => {
    const { gateway, patch } = choosingGateway()
    const page = await openComposer({ gateway })
    followReturned(page.services)
    compose({ text: "", images: [PIXEL] })
    await page.type("one")
    await page.key("Enter")
    const asked = await until(patch)
    await page.type("two")
    gateway.socket.refuse(asked, "INVALID_REQUEST", "model not allowed: demo/scholar")
    await until(() => page.area.value !== "two")
    assert.strictEqual(page.area.value, "two\none")
    assert.lengthOf(page.all(".composer-picture"), 1)
    assert.deepStrictEqual(page.sent(), [])
    assert.match(page.services.notices.shown.get()[0]?.text ?? "", /^Your message wasn't sent\. It's back/)
  })
})

describe("what comes back after another session was opened", () => {
  it("is in the draft of the session it was written in", async () => {
    const page = await openComposer()
    const other = OTHER
    const { client } = page.services
    client.drafts.set(other, "begun")
    await page.type("of this session")
    putBack(page.services, other, { text: "two", images: [PIXEL] })
    assert.strictEqual(client.drafts.get(other), "begun\n\ntwo")
    assert.strictEqual(page.area.value, "of this session")
    assert.lengthOf(page.all(".composer-picture"), 0)
    putBack(page.services, SESSION, { text: "three", images: [] })
    assert.strictEqual(page.area.value, "of this session\nthree")
  })
})

describe("what the console refuses for good", () => {
  it("is back in its field, or in the draft of a session that isn't on screen", async () => {
    const answers = {
      "POST /api/outbox": () =>
        new Response(
          JSON.stringify({ error: "outbox_full", details: "200 messages are waiting in this session already." }),
          {
            status: 409
          }
        )
    }
    const page = await openComposer({ answers })
    followReturned(page.services)
    await page.type("one")
    await page.key("Enter")
    await until(() => page.area.value === "one")
    assert.strictEqual(
      page.services.notices.shown.get()[0]?.text,
      "Your message wasn't sent. It's back in the message field. 200 messages are waiting in this session already."
    )
    const other = OTHER
    page.services.client.drafts.set(other, "begun")
    page.services.client.chat(other).send("two", [PIXEL])
    await until(() => page.services.client.drafts.get(other) !== "begun")
    assert.strictEqual(page.services.client.drafts.get(other), "begun\n\ntwo")
    assert.strictEqual(page.area.value, "one")
  })
})
