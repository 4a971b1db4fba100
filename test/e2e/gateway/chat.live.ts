import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, SIZES, type Size, withPage } from "../support/browser.ts"
import { finishedAnswer, openNewSession, say } from "../support/conversation.ts"
import { gatewayHistory } from "../support/gatewayHistory.ts"
import { useBrowser } from "../support/useConsole.ts"

const SIZE_NAMES: ReadonlyArray<Size> = ["desktop", "phone"]

/** The scripted response of the gateway's model: long enough to be seen growing, with a table at the end. */
const ANSWER = "one two three four five six seven eight nine ten\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |"
const MESSAGE = `Count. [[mock:text=${ANSWER}]] [[mock:chunks=12]] [[mock:delay=120]]`

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`a browser in front of gateway ${gateway.version}`, () => {
    const browser = useBrowser()

    for (const size of SIZE_NAMES) {
      it.live(`sends a message and reads the streamed answer (${SIZES[size].width} px)`, () =>
        Effect.gen(function* () {
          const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
          yield* Effect.promise(() =>
            withPage(browser, { size }, async (page) => {
              const sessionKey = await openNewSession(page, url)
              await say(page, MESSAGE)
              await page.locator('[data-activity="STREAMING"]').waitFor()
              const answer = await finishedAnswer(page, "one two three four five six seven eight nine ten")
              assert.strictEqual(await answer.locator("table tbody td").count(), 2)
              await keepPicture(page, `gateway-${gateway.version}-${size}`)
              const history = await gatewayHistory(url, sessionKey, {})
              assert.deepStrictEqual(
                history.map(({ role }) => role),
                ["user", "assistant"]
              )
              assert.strictEqual(history[1]?.text, ANSWER.replaceAll("\\n", "\n"))
              await page.reload()
              await page.locator(".message.is-assistant table").waitFor()
              assert.strictEqual(await page.locator(".message").count(), 2)
            })
          )
        }).pipe(Effect.scoped)
      )
    }
  })
}
