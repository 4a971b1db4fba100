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
          by: "operator",
          at: 1
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

describe("a note with which an agent is stopped", () => {
  it("leaves what was typed meanwhile in the field", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const running = card("a", {
      status: "in-progress",
      run: { sessionKey: "agent:main:task-a", status: "running", startedAt: 1 }
    })
    const notes: Array<unknown> = []
    const page = await openPage({
      address: "/board/a",
      answers: {
        "GET /api/kanban/tasks": () => ({ items: [running], hasMore: false }),
        "GET /api/kanban/tasks/a/comments": () => ({ comments: [] }),
        "POST /api/kanban/tasks/a/abort": ({ body }) => {
          notes.push(body.note)
          return running
        },
        "GET /api/kanban/config": () => CONFIG,
        "GET /api/kanban/proposals": () => ({ proposals: [] }),
        "GET /api/kanban/views": () => ({ views: [] })
      }
    })
    const { fetch } = page.gateway
    let isAsked = false
    page.gateway.fetch = async (url, init) => {
      isAsked ||= init.method === "POST"
      if (init.method === "POST") await promise
      return fetch(url, init)
    }
    await page.find("#run-note")
    await page.write("#run-note", "Too slow")
    const stopping = page.press(".run-panel button", "Stop")
    await until(() => isAsked)
    await page.write("#run-note", "Too slow\nand too dear")
    resolve()
    await stopping
    const noteIn = () => {
      const [field] = page.all("#run-note")
      return field instanceof HTMLTextAreaElement ? field.value : null
    }
    await until(() => noteIn() === "and too dear")
    assert.deepStrictEqual(notes, ["Too slow"])
  })
})
