import { it } from "@effect/vitest"
import { openPage } from "../support/openPage.tsx"

const search = (answer: () => unknown, address: string) => openPage({ address, answers: { "GET /api/search": answer } })

it("says when the index is being built, when nothing is found, and when the search is broken", async () => {
  let answer: object | null = { hits: [], state: "building", progress: 0.43 }
  const page = await search(
    () => answer ?? new Response(JSON.stringify({ error: "internal" }), { status: 500 }),
    "/search?q=anything"
  )
  await page.find("[role=status]", "Nothing found · index being built, 43 %")
  await page.find(".state", "The index is still being built (43 %).")
  // It looks again by itself until the index is there.
  answer = { hits: [], state: "ready" }
  await page.find(".state", "Check the spelling")
  answer = null
  await page.write("[data-search]", "other")
  await page.find("[role=alert]", "Couldn't search")
  answer = {
    hits: [{ kind: "log", gatewayId: "primary", at: 1, snippet: [{ text: "other", hit: true }] }],
    state: "ready"
  }
  await page.press("button", "Try again")
  await page.find(".search-group", "Agent log")
})

it("shows beside results that nothing new is taken in, until it is again", async () => {
  const hit = { kind: "log", gatewayId: "primary", at: 1, snippet: [{ text: "pump", hit: true }] }
  let paused: object = { paused: "there's too little room on the disk: free up some space" }
  const page = await search(() => ({ hits: [hit], state: "ready", ...paused }), "/search?q=pump")
  await page.find("[role=status]", "1 result · index paused")
  await page.find(".search-paused", "The index is paused: there's too little room on the disk: free up some space.")
  paused = {}
  await page.gone(".search-paused")
})
