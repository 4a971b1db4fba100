import { assert, describe, it } from "@effect/vitest"
import { CONFIG, card } from "../../core/board/FakeBoard.ts"
import { openPage, until } from "../support/openPage.tsx"

describe("a comment on its way", () => {
  it("leaves what was typed meanwhile in the field", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const page = await openPage({
      address: "/board/a",
      answers: {
        "GET /api/kanban/tasks": () => ({ items: [card("a")], hasMore: false }),
        "GET /api/kanban/tasks/a/comments": () => ({ comments: [] }),
        "POST /api/kanban/tasks/a/comments": ({ body }) => ({
          id: "c",
          text: body.text,
          author: "operator",
          createdAt: 1
        }),
        "GET /api/kanban/config": () => CONFIG,
        "GET /api/kanban/proposals": () => ({ proposals: [] }),
        "GET /api/kanban/views": () => ({ views: [] })
      }
    })
    const { fetch } = page.gateway
    page.gateway.fetch = async (url, init) => {
      if (init.method === "POST") await promise
      return fetch(url, init)
    }
    await page.find(".comment-form textarea")
    await page.write(".comment-form textarea", "First thought")
    const [field] = page.all(".comment-form textarea")
    field?.focus()
    await page.key("Enter", { ctrlKey: true })
    await page.write(".comment-form textarea", "First thought\nSecond one")
    resolve()
    await page.find(".comment", "First thought")
    await until(() => page.services.client.drafts.get("board-comment:a") === "Second one")
    assert.strictEqual(field instanceof HTMLTextAreaElement ? field.value : null, "Second one")
  })
})
