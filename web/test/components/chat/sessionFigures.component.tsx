import { component$ } from "@builder.io/qwik"
import { assert, describe, it } from "@effect/vitest"
import { SessionFigures } from "../../../src/chat/ModelPanel.tsx"
import { sessionRow } from "../../../src/core/sessions/sessionRows.ts"
import { NO_MARK } from "../../support/sessionRow.ts"
import { openPage } from "../support/openPage.tsx"

const KEY = "agent:main:main"

const figuresOf = (fields: object) => {
  const facts = {
    seenAt: 0,
    isRunBelieved: false,
    waiting: false,
    deniedAt: null,
    firstWords: null,
    mark: NO_MARK
  }
  const row = sessionRow({ key: KEY, updatedAt: 5, ...fields }, KEY, KEY, facts)
  return openPage({ part: component$(() => <SessionFigures row={row} />) })
}

describe("the figures of a session", () => {
  it("say that the context is unknown, and still what the session cost", async () => {
    const page = await figuresOf({
      totalTokens: 433_428,
      contextTokens: 370_000,
      totalTokensFresh: false,
      estimatedCostUsd: 0.04
    })
    const figures = await page.find(".context")
    assert.match(figures.textContent ?? "", /^Context: unknown until the next response \(of 370,000 tokens\).*\$0\.04$/)
    assert.lengthOf(page.all("meter"), 0)
  })

  it("have a meter where it's known", async () => {
    const page = await figuresOf({ totalTokens: 185_000, contextTokens: 370_000, totalTokensFresh: true })
    await page.find(".context p", "Context: 185,000 of 370,000 tokens")
    assert.strictEqual(page.all("meter")[0]?.getAttribute("value"), "0.5")
  })
})
