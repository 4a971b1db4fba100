import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { card } from "../../core/board/FakeBoard.ts"
import { type OpenedPage, openPage, until } from "../support/openPage.tsx"

// Dragging needs a layout, which there is none of here.
vi.mock("../../../src/board/dragCards.ts", () => ({ mouseDrag: () => () => {}, touchDrag: () => () => {} }))

const CARD = card("c1", { title: "Paint the door" })

/** A card whose description somebody else changed while this browser kept unsaved words for it. */
const meeting = async (began: string, mine: string, theirs: string): Promise<OpenedPage> => {
  const page = await openPage({
    address: "/board",
    answers: {
      "GET /api/kanban/tasks": () => ({
        items: [{ ...CARD, version: 2, description: theirs }],
        total: 1,
        limit: 200,
        offset: 0,
        hasMore: false
      }),
      "GET /api/kanban/proposals": () => ({ proposals: [] }),
      "GET /api/kanban/views": () => ({ views: [] }),
      "PATCH /api/kanban/tasks/c1": ({ body }) => ({ ...CARD, ...body, version: 3 })
    }
  })
  page.services.client.drafts.set(
    "board:c1",
    JSON.stringify({ base: { ...CARD, description: began }, changes: { description: mine }, theirs: {} })
  )
  page.services.router.navigate("/board/c1")
  await page.find(".conflict", "Description: also changed by someone else")
  return page
}
const buttons = (page: OpenedPage) => page.all(".conflict-choice button").map(({ textContent }) => textContent)

describe("a description that two people changed", () => {
  it("keeps both changes in different places, and is saved with them", async () => {
    const page = await meeting("one\n\ntwo\n\nthree", "one, mine\n\ntwo\n\nthree", "one\n\ntwo\n\nthree, theirs")
    assert.deepStrictEqual(buttons(page), ["Keep both", "Keep mine", "Take theirs"])
    await page.press(".conflict-choice button", "Keep both")
    await page.gone(".conflict")
    await page.press(".task-foot button", "Save")
    const sent = await until(() => page.asked.find(({ request }) => request.startsWith("PATCH")))
    assert.deepStrictEqual(sent.body, { version: 2, description: "one, mine\n\ntwo\n\nthree, theirs" })
  })

  it("is chosen between where they changed the same, and not saved before", async () => {
    const page = await meeting("one", "mine", "theirs")
    assert.deepStrictEqual(buttons(page), ["Keep mine", "Take theirs"])
    await page.press(".task-foot button", "Save")
    await page.find(".task-foot [role=alert]", "Choose which text to keep first.")
    assert.isFalse(page.asked.some(({ request }) => request.startsWith("PATCH")))
    await page.press(".conflict-choice button", "Take theirs")
    await page.gone(".conflict")
    await page.gone(".task-foot button", "Save")
  })
})
