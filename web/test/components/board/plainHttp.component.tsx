import { assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { type Fields, fieldsOf, recordsOf } from "../../../../src/contract/looseFields.ts"
import { CONFIG, card } from "../../core/board/FakeBoard.ts"
import { type Answers, openPage, until } from "../support/openPage.tsx"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const board = (more: Answers): Answers => ({
  "GET /api/kanban/tasks": () => ({ items: [card("a")], hasMore: false }),
  "GET /api/kanban/tasks/a/comments": () => ({ comments: [] }),
  "GET /api/kanban/config": () => CONFIG,
  "GET /api/kanban/proposals": () => ({ proposals: [] }),
  "GET /api/kanban/views": () => ({ views: [] }),
  "GET /api/agents": () => ({ agents: [] }),
  ...more
})

// As browsers have it for pages over plain HTTP at another machine's address.
beforeEach(() => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) })
})

describe("a board over plain HTTP", () => {
  it("takes an item of a checklist", async () => {
    let saved: Fields = {}
    const answers = board({
      "PATCH /api/kanban/tasks/a": ({ body }) => {
        saved = body
        return { ...card("a", { version: 2 }), checklist: body.checklist }
      }
    })
    const page = await openPage({ address: "/board/a", answers })
    const field = await page.find("[data-checklist-add]")
    await page.write("[data-checklist-add]", "Buy flour")
    field.focus()
    await page.key("Enter")
    await page.find(".checklist-item", "Buy flour")
    const [item] = recordsOf(await until(() => Array.isArray(saved.checklist) && saved.checklist))
    assert.deepInclude(item, { text: "Buy flour", done: false })
    assert.match(String(item?.id), UUID)
  })

  it("has an item in its field again that couldn't be saved, above what was typed since", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const answers = board({
      "PATCH /api/kanban/tasks/a": () =>
        new Response(JSON.stringify({ error: "storage_failed", details: "The disk is full." }), { status: 507 })
    })
    const page = await openPage({ address: "/board/a", answers })
    const fetch = page.gateway.fetch
    page.gateway.fetch = async (url, init) => {
      if (init.method === "PATCH") await promise
      return fetch(url, init)
    }
    const field = await page.find("[data-checklist-add]")
    await page.write("[data-checklist-add]", "Buy flour")
    field.focus()
    await page.key("Enter")
    await page.write("[data-checklist-add]", "Bake")
    resolve()
    const area = await until(() => {
      const [now] = page.all("[data-checklist-add]")
      return now instanceof HTMLTextAreaElement && now.value !== "Bake" && now
    })
    assert.strictEqual(area.value, "Buy flour\nBake")
    await page.gone(".checklist-item")
  })

  it("saves a view", async () => {
    const saved: Array<string> = []
    const answers = board({})
    const page = await openPage({ address: "/board?panel=view&q=flour", answers })
    const fetch = page.gateway.fetch
    page.gateway.fetch = async (url, init) => {
      const { pathname } = new URL(url)
      if (init.method === "GET" || !pathname.startsWith("/api/kanban/views/")) return fetch(url, init)
      saved.push(pathname.split("/").at(-1) ?? "")
      return new Response(JSON.stringify({ ...fieldsOf(JSON.parse(String(init.body))), id: saved[0], version: 1 }))
    }
    await page.write("#view-name", "Baking")
    await page.fire(await page.find("#view-form"), "submit")
    await until(() => saved.length > 0)
    assert.match(saved[0] ?? "", UUID)
  })
})
