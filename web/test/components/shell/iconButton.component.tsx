import { $, component$, useSignal } from "@builder.io/qwik"
import { assert, describe, it } from "@effect/vitest"
import { IconButton } from "../../../src/ui/IconButton.tsx"
import { openPage, until } from "../support/openPage.tsx"

const Counter = component$(() => {
  const count = useSignal(0)
  const add = $(() => {
    count.value++
  })
  return (
    <main>
      <IconButton icon="plus" label={`Pressed ${count.value} times`} class="adds" onClick$={add} />
    </main>
  )
})

describe("a button that is only an icon", () => {
  it("has its name for everybody, says it anew when it changes, and does what it says", async () => {
    const page = await openPage({ part: Counter })
    const button = await page.find("button.icon-button.adds")
    assert.strictEqual(button.getAttribute("aria-label"), "Pressed 0 times")
    assert.strictEqual(button.getAttribute("title"), "Pressed 0 times")
    await page.press("button.adds", "")
    await until(() => button.getAttribute("aria-label") === "Pressed 1 times")
  })
})
