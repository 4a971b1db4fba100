import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, SIZES, type Size, withPage } from "../support/browser.ts"
import { idle, openNewSession, say } from "../support/conversation.ts"
import { gatewayHistory } from "../support/gatewayHistory.ts"
import { useBrowser } from "../support/useConsole.ts"

const SIZE_NAMES: ReadonlyArray<Size> = ["desktop", "phone"]

/** The finished answer; a gateway's first one can take long on a busy machine. */
const answered = async (page: Page, text: string): Promise<void> => {
  await page.locator(".message.is-assistant", { hasText: text }).waitFor({ timeout: 60_000 })
  await idle(page)
}

for (const gateway of inject("gateways")) {
  describeOn(gateway, gateway.version.startsWith("2026.3") ? "this generation keeps no versions" : undefined)(
    `versions of a conversation at gateway ${gateway.version}`,
    () => {
      const browser = useBrowser()

      for (const size of SIZE_NAMES)
        it.live(
          `are switched between, also in another browser (${SIZES[size].width} px)`,
          () =>
            Effect.gen(function* () {
              const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
              yield* Effect.promise(() =>
                withPage(browser, { size }, async (page) => {
                  const mark = (on: Page, text: string) =>
                    on
                      .getByRole("group", { name: "Versions of this message" })
                      .getByText(text)
                      .waitFor({ timeout: 60_000 })
                  const question = (on: Page, text: string) => on.locator(".message.is-user", { hasText: text })
                  const edit = async (from: string, to: string, answer: string) => {
                    await question(page, from).locator(".bubble").click()
                    await question(page, from).getByRole("button", { name: "Edit and resend" }).click()
                    await page.locator(".composer-edit", { hasText: "you can switch back to it" }).waitFor()
                    await page.locator("#composer").fill(to)
                    await page.locator("#composer").press("Enter")
                    await answered(page, answer)
                  }
                  const key = await openNewSession(page, url)
                  for (const [text, answer] of [
                    ["first", "the sea"],
                    ["second", "the hills"]
                  ] as const) {
                    await say(page, `${text} [[mock:text=${answer}]]`)
                    await answered(page, answer)
                  }
                  await edit("second", "third [[mock:text=the moor]]", "the moor")
                  await mark(page, "2/2")
                  await edit("third", "fourth [[mock:text=the wood]]", "the wood")
                  await mark(page, "3/3")
                  await keepPicture(page, `gateway-versions-${size}`)

                  await page.getByRole("button", { name: "Previous version" }).click()
                  await question(page, "third").waitFor()
                  await mark(page, "2/3")
                  await page.getByRole("button", { name: "Previous version" }).click()
                  await question(page, "second").waitFor()
                  await mark(page, "1/3")
                  const history = await gatewayHistory(url, key, {})
                  assert.deepStrictEqual(
                    history.filter(({ role }) => role === "assistant").map(({ text }) => text),
                    ["the sea", "the hills"]
                  )
                  await withPage(browser, { size }, async (other) => {
                    await other.goto(`${url}/chat/${encodeURIComponent(key)}`)
                    await mark(other, "1/3")
                    await other.getByRole("button", { name: "Next version" }).click()
                    await question(other, "third").waitFor()
                    await mark(other, "2/3")
                  })
                  await question(page, "third").waitFor()
                  await mark(page, "2/3")
                })
              )
            }).pipe(Effect.scoped),
          240_000
        )
    }
  )
}
