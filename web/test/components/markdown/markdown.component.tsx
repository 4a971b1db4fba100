import { component$, useContextProvider, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { assert, describe, it } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { highlightCode } from "../../../src/core/text/highlightCode.ts"
import type { MarkdownRenderer } from "../../../src/core/text/MarkdownRenderer.ts"
import { createMarkdown } from "../../../src/core/text/MarkdownRenderer.ts"
import { drawHtml } from "../../../src/ui/markdown/drawHtml.ts"
import { LongText } from "../../../src/ui/markdown/LongText.tsx"
import { MarkdownText } from "../../../src/ui/markdown/MarkdownText.tsx"
import { MarkdownContext } from "../../../src/ui/markdown/useMarkdown.ts"
import { type OpenedPage, openPage, until } from "../support/openPage.tsx"

const markdown = createMarkdown({
  sanitize: (html) => html,
  loadHighlight: async () => highlightCode,
  loadMath: async () => ({ extension: () => ({}), spanAt: () => 0, draw: (html) => html })
})
const shown = createObservable({ text: "", isGrowing: true })

const Growing = component$(() => {
  const renderer = useSignal<MarkdownRenderer | null>(markdown)
  useContextProvider(MarkdownContext, renderer)
  const now = useSignal(shown.get())
  useVisibleTask$(({ cleanup }) => {
    cleanup(
      markdown.onColours(() => {
        renderer.value = { ...markdown }
      })
    )
    cleanup(
      shown.subscribe((value) => {
        now.value = value
      })
    )
  })
  return (
    <main>
      <MarkdownText text={now.value.text} streaming={now.value.isGrowing} />
    </main>
  )
})

/** A page with a text that grows. */
const openText = async (text: string) => {
  shown.set({ text, isGrowing: true })
  const page = await openPage({ part: Growing })
  await page.find(".md-block")
  return page
}

const show = async (page: OpenedPage, text: string, words: string, isGrowing = true) => {
  shown.set({ text, isGrowing })
  await until(() => page.screen.querySelector("main")?.textContent?.includes(words))
}

const one = (page: OpenedPage, selector: string, index = 0): Element => {
  const found = page.all(selector)[index]
  return found ?? assert.fail(`There is no ${selector} in ${page.screen.innerHTML}`)
}

describe("an answer that grows", () => {
  it("keeps the nodes of a block of code, and what a person did to it", async () => {
    const page = await openText("Look:\n\n```ts\nconst a = 1\n")
    const [code, block, copy] = [one(page, "pre code"), one(page, ".code-block"), one(page, "[data-copy=code]")]
    const line = code.firstChild
    block.classList.add("is-wrapped")
    copy.textContent = "Copied"
    await show(page, "Look:\n\n```ts\nconst a = 1\nconst b = 2\n", "const b")
    assert.strictEqual(one(page, "pre code").firstChild, line)
    await show(page, "Look:\n\n```ts\nconst a = 1\nconst b = 2\n```\n\nDone", "Done")
    assert.strictEqual(one(page, "pre code"), code)
    assert.strictEqual(one(page, "[data-copy=code]"), copy)
    assert.strictEqual(copy.textContent, "Copied")
    assert.include(block.className, "is-wrapped")
    assert.strictEqual(code.textContent, "const a = 1\nconst b = 2\n")
    await until(() => code.querySelector(".hljs-keyword") !== null)
  })

  it("gets a button between others without a change to them", async () => {
    const page = await openText("```html\n<p>")
    const copy = one(page, "[data-copy=code]")
    assert.strictEqual(page.all("[data-copy=preview]").length, 0)
    await show(page, "```html\n<p>\n```\n\nDone", "Done")
    await page.find("[data-copy=preview]")
    assert.strictEqual(one(page, "[data-copy=code]"), copy)
    assert.deepStrictEqual(
      page.all("[data-copy]").map((button) => button.getAttribute("data-copy")),
      ["wrap", "save", "preview", "code"]
    )
  })

  it("keeps links, items and rows while more are added", async () => {
    const start =
      "See [it](https://x.y/) and\n\n- one **bold**\n- two\n\n| a | b |\n|---|---|\n| 1 | [l](https://x.y/) |\n"
    const page = await openText(start)
    const kept = ["a", "li", "li strong", "td a", "table", "th"].map(
      (selector) => [selector, one(page, selector)] as const
    )
    await show(page, `${start}| 3 | 4 |\n\nEnd [of](https://x.y/) it`, "of it")
    for (const [selector, node] of kept) assert.strictEqual(one(page, selector), node, selector)
    const link = one(page, "a", 2)
    await show(page, `${start}| 3 | 4 |\n\nEnd [of](https://x.y/) it, *and* more`, "more")
    assert.strictEqual(one(page, "a", 2), link)
    assert.strictEqual(one(page, "em").textContent, "and")
  })

  it("shows at every moment what it would show at once", async () => {
    const { screen } = await openText("a")
    const [grown, fresh] = [screen.ownerDocument.createElement("div"), screen.ownerDocument.createElement("div")]
    const text = `# A

Some **bo*l*d**, \`code\` and [l](https://x.y/)
b

- a
- b
  1. c

> q
> \`\`\`js
> x
> \`\`\`

| a |
|---|
| 1 |

a | b
--|--
1 | ![p](/tmp/p.png)

\`\`\`html
<b>
\`\`\`

[r]

[r]: https://x.y/

End ~~of~~ it.`
    for (let end = 1; end <= text.length; end++) {
      const html = markdown
        .render(text.slice(0, end), true)
        .map((block) => block.html)
        .join("")
      drawHtml(grown, html)
      fresh.innerHTML = html
      assert.strictEqual(grown.innerHTML, fresh.innerHTML, `at ${end}`)
    }
  })

  it("is drawn anew where somebody else changed it", async () => {
    const page = await openText("a **b** c")
    const strong = one(page, "strong")
    strong.parentNode?.removeChild(strong)
    await show(page, "a **b** c and d", "and d")
    assert.strictEqual(one(page, "p").textContent, "a b c and d")
  })
})

describe("a text that is too long to format", () => {
  const long = "word ".repeat(50_000)
  const Long = component$(() => <LongText text={long} />)
  const Whole = component$(() => <LongText text={long} isWhole />)

  it("is shown in part until somebody asks for all of it", async () => {
    const page = await openPage({ part: Long })
    const text = await page.find(".long-text p")
    assert.isBelow(text.textContent?.length ?? 0, long.length)
    assert.match(one(page, ".long-text button").textContent ?? "", /^Show all/)
  })

  it("is shown at once where somebody has asked for all of it before", async () => {
    const page = await openPage({ part: Whole })
    assert.strictEqual((await page.find(".long-text p")).textContent, long)
    assert.lengthOf(page.all(".long-text button"), 0)
  })
})
