import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldsOf, recordsOf, textOf } from "../../../src/contract/looseFields.ts"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "../support/conversation.ts"
import { gatewayCall } from "../support/gatewayHistory.ts"
import { useBrowser } from "../support/useConsole.ts"

const SAVED = { hasText: /^Saved$/ }
/** The instruction of the gateway's model: write a day's notes with the agent's own tool. */
const NOTES = { path: "memory/2026-05-04.md", content: "## Harbour\n\n- Saw the old lighthouse\n" }
const WRITE = `Write it down. [[mock:tool=write ${JSON.stringify(NOTES)}]] [[mock:text=Written.]]`

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the knowledge in front of gateway ${gateway.version}`, () => {
    const browser = useBrowser()

    /** The instructions with which the gateway's model was asked this, in every request that had it. */
    const instructionsFor = async (message: string): Promise<string> => {
      const requests: unknown = await (await fetch(`${gateway.modelUrl}/requests`)).json()
      const asked = recordsOf(requests)
        .map(({ messages }) => recordsOf(messages))
        .filter((messages) => JSON.stringify(messages).includes(message))
      return JSON.stringify(asked.flat().filter(({ role }) => role !== "user" && role !== "assistant"))
    }

    it.live("is one with what the agent reads and writes", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({
          GATEWAY_URL: gateway.url,
          GATEWAY_TOKEN: gateway.token,
          GATEWAY_HOME: gateway.gatewayHome
        })
        const file = (name: string) => gatewayCall(url, "agents.files.get", { agentId: "main", name })
        const stored = async (name: string) => textOf(fieldsOf(fieldsOf(await file(name)).file).content)
        // Another try meets what the first one wrote.
        const now = Date.now()
        const tea = `Drinks tea ${now}`
        const sailor = `Speaks like a sailor ${now}.`
        const question = `What do you know ${now}?`
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            // What the gateway writes is on the page by itself.
            await page.goto(`${url}/knowledge/memory`)
            await connected(page)
            await page.getByRole("button", { name: "Add a memory" }).first().waitFor()
            const content = `## Drinks\n\n- ${tea}\n- Never coffee\n`
            await gatewayCall(url, "agents.files.set", { agentId: "main", name: "MEMORY.md", content })
            const memory = page.locator(".memory-item", { hasText: tea })
            await memory.getByRole("button", { name: /^Edit/ }).click()
            await page.getByLabel("Memory", { exact: true }).fill(`${tea} from Ceylon`)
            await page.keyboard.press("Control+Enter")
            await page.locator(".memory-item", { hasText: `${tea} from Ceylon` }).waitFor()
            assert.strictEqual(await stored("MEMORY.md"), content.replace(tea, `${tea} from Ceylon`))

            await openNewSession(page, url)
            await say(page, WRITE)
            await finishedAnswer(page, "Written.")
            await page.goto(`${url}/knowledge/memory`)
            await page.getByRole("button", { name: "Harbour" }).click()
            await page.getByText("Saw the old lighthouse").waitFor()
            await keepPicture(page, `gateway-${gateway.version}-memory`)

            await page.goto(`${url}/knowledge/documents/soul`)
            const editor = page.locator(".editor .cm-content")
            await page.getByRole("button", { name: "Edit", exact: true }).click()
            await editor.click()
            await page.keyboard.press("Control+Home")
            await page.keyboard.type(sailor)
            await page.keyboard.press("Enter")
            await page.keyboard.press("Control+s")
            await page.locator(".save-state", SAVED).waitFor()
            assert.strictEqual((await stored("SOUL.md"))?.split("\n")[0], sailor)

            await openNewSession(page, url)
            await say(page, question)
            await finishedAnswer(page, `echo: ${question}`)
            const instructions = await instructionsFor(question)
            assert.include(instructions, sailor)
            assert.include(instructions, `${tea} from Ceylon`)
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}
