import { assert, describe, it } from "@effect/vitest"
import { fieldsOf } from "../../../../src/contract/looseFields.ts"
import { type Answers, type OpenedPage, openPage, until } from "../support/openPage.tsx"

const snippet = (text: string) => [
  { text: "The ", hit: false },
  { text: "zephyrine", hit: true },
  { text, hit: false }
]
const HITS = [
  { kind: "message", role: "user", text: " lantern hangs at the harbour" },
  { kind: "message", role: "assistant", text: ": You said so" },
  { kind: "task", text: " lantern is polished" },
  { kind: "memory", text: " lamp is blue" }
].map(({ kind, role, text }, index) => ({
  kind,
  gatewayId: "primary",
  at: 1_000 - index,
  snippet: snippet(text),
  ...(role === undefined ? {} : { role, sessionKey: "agent:main:main", sessionTitle: "Main", messageId: `m${index}` }),
  ...(kind === "task" ? { taskId: "card-1", title: "Polish" } : {}),
  ...(kind === "memory" ? { section: "Facts" } : {})
}))

/** A search that knows the kinds, who wrote something and when. */
const SEARCH: Answers = {
  "GET /api/search": ({ query }) => {
    const kinds = query.getAll("kind").flatMap((kind) => kind.split(","))
    const from = query.get("from") ?? query.get("role")
    const words = (query.get("q") ?? "").replaceAll("*", "").split(" ")
    const isUnknown = query.has("before") || !words.every((word) => ["zephyrine", "lamp"].includes(word))
    const hits = HITS.filter(
      ({ kind, ...hit }) =>
        (kinds.length === 0 || kinds.includes(kind)) && (from === null || ("role" in hit && hit.role === "user"))
    )
    return { hits: isUnknown ? [] : hits, state: "ready" }
  }
}

const open = async (address: string): Promise<OpenedPage> => {
  const page = await openPage({ address, answers: SEARCH })
  await page.find("[data-search]")
  return page
}
const written = (page: OpenedPage): string => {
  const [field] = page.all("[data-search]")
  return field instanceof HTMLInputElement ? field.value : ""
}

describe("the search of everything", () => {
  it("narrows by buttons and by words in the field, which are the same", async () => {
    const page = await open("/search?q=zephyrine")
    await page.find(".search-group", "Memory")
    await page.press(".search-filters button", "Cards")
    await page.gone(".search-group", "Memory")
    assert.strictEqual(written(page), "zephyrine kind:task")
    const [cards] = page.all(".search-filters button", "Cards")
    assert.strictEqual(cards?.getAttribute("aria-pressed"), "true")
    await page.press(".search-filters button", /^All$/)
    await page.find(".search-group", "Memory")
    assert.strictEqual(written(page), "zephyrine")
    await page.write("[data-search]", "zephyrine from:me ")
    await page.gone(".search-group", "Cards")
    await page.find("a[data-hit]", "lantern hangs")
    assert.lengthOf(page.all("a[data-hit]", "You said"), 0)
    const [from] = page.all("#search-from")
    assert.strictEqual(from instanceof HTMLSelectElement ? from.value : null, "me")
    await page.write("[data-search]", "zephyrine before:2020 ")
    await page.find("#search-state", "Nothing found")
    await page.choose("#search-after", "today")
    await until(() => new URLSearchParams(location.search).get("q") === "zephyrine before:2020 after:today")
    await page.write("[data-search]", "zephyrine colour:red ")
    await until(() => page.asked.at(-1)?.query.get("q") === "zephyrine colour:red")
    await page.find("#search-state", "Nothing found")
    await page.write("[data-search]", "from:me")
    await page.find("#search-state", "Add a word to look for")
  })

  it("remembers searches in this browser until they are cleared", async () => {
    const page = await open("/search")
    const field = await page.find("[data-search]")
    await page.write("[data-search]", "zephyrine lamp")
    field.focus()
    await page.key("Enter")
    await until(() => document.activeElement?.matches("a[data-hit]") === true)
    page.services.router.navigate("/inbox")
    await page.gone("[data-search]")
    page.services.router.navigate("/search")
    await page.press("button.search-again", "zephyrine lamp")
    await page.find(".search-group", "Memory")
    assert.strictEqual(written(page), "zephyrine lamp")
    await page.write("[data-search]", "")
    await page.find("h2", "Recent searches")
    await page.press(".search-recent button", /^Clear$/)
    await page.gone("h2", "Recent searches")
    const later = await openPage({ address: "/search", answers: SEARCH, gateway: page.gateway })
    await later.find("[data-search]")
    assert.lengthOf(later.all("h2", "Recent searches"), 0)
  })
})

describe("the settings of the search", () => {
  it("leave out what tools returned, build the index again, and delete it", async () => {
    let toolOutput = false
    const status = () => ({ state: "ready", toolOutput, messages: 3, documents: 2, bytes: 100 })
    const answers: Answers = {
      "GET /api/search/index": status,
      "PATCH /api/search/index": ({ body }) => {
        toolOutput = fieldsOf(body).toolOutput === true
        return status()
      },
      "POST /api/search/index/rebuild": status,
      "DELETE /api/search/index": status
    }
    const page = await openPage({ address: "/settings/search", answers })
    const isOn = () => page.all("[role=switch]", "Search tool output")[0]?.getAttribute("aria-checked")
    await page.find("[role=switch]", "Search tool output")
    assert.strictEqual(isOn(), "false")
    await page.toggle("[role=switch]", "Search tool output")
    await until(() => toolOutput && isOn() === "true")
    await page.press("button", "Build again")
    const calls = () => page.asked.map(({ request }) => request)
    await until(() => calls().some((call) => call.endsWith("/rebuild")))
    await page.find(".fact-rows dd", "Ready")
    await page.press("button", "Delete index")
    await page.press("dialog button", "Cancel")
    await page.gone("dialog[open]")
    assert.isFalse(calls().some((call) => call.startsWith("DELETE")))
    await page.press("button", "Delete index")
    await page.press("dialog button", "Delete index")
    await until(() => calls().some((call) => call.startsWith("DELETE")))
    await page.find(".notice", "The search index was deleted.")
  })
})
