import { component$, useContextProvider, useSignal } from "@builder.io/qwik"
import { assert, describe, it } from "@effect/vitest"
import { type MessageVersions, VersionsContext } from "../../../src/chat/MessageVersions.tsx"
import { UserMessage } from "../../../src/chat/UserMessage.tsx"
import { openPage } from "../support/openPage.tsx"

const LINES = Array.from({ length: 6_000 }, (_, line) => `line ${line}`).join("\n")

const messageOf = (text: string) =>
  component$(() => {
    useContextProvider(VersionsContext, useSignal<ReadonlyMap<string, MessageVersions>>(new Map()))
    return <UserMessage item={{ kind: "user", key: "u:1", at: 1, text, images: [], delivery: "sent", error: null }} />
  })

describe("a long message of a person", () => {
  it("is folded until somebody wants to see all of it, which one press shows", async () => {
    const page = await openPage({ part: messageOf(LINES) })
    const words = await page.find(".bubble-words")
    assert.isTrue(words.classList.contains("is-folded"))
    assert.isBelow(words.textContent?.length ?? 0, LINES.length)
    await page.press(".bubble button", "Show more")
    await page.find(".bubble button", "Show less")
    assert.strictEqual(page.all(".bubble-words")[0]?.textContent, LINES)
    assert.lengthOf(page.all(".bubble-words.is-folded"), 0)
    await page.press(".bubble button", "Show less")
    await page.find(".bubble-words.is-folded")
  })

  it("is shown in full if it's short", async () => {
    const page = await openPage({ part: messageOf("one\ntwo") })
    await page.find(".bubble-words", "one")
    assert.lengthOf(page.all(".bubble-words.is-folded"), 0)
    assert.lengthOf(page.all(".bubble button"), 0)
  })
})
