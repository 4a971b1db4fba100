import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, inject, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { fieldsOf, filledText } from "../../../src/contract/looseFields.ts"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { type RealGateway, startGateway } from "../../gateway/support/realGateway.ts"
import { boardCalls } from "../support/boardCalls.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "../support/conversation.ts"
import { setPolicy } from "../support/execPolicy.ts"
import { gatewayCall } from "../support/gatewayHistory.ts"
import { useBrowser } from "../support/useConsole.ts"

const isNew = (gateway: RealGateway) => gateway.version.startsWith("2026.9")

/** What makes the gateway's agent run a command that leaves a file in its workspace. */
const running = (name: string) => {
  const call = JSON.stringify({ command: `touch ${name}` })
  return `Run it. [[mock:tool=exec ${call}]] [[mock:text=I am through with ${name}]]`
}
const fileOf = (gateway: RealGateway, name: string) => join(gateway.gatewayHome, "workspace", name)

/** A console in front of a gateway whose commands need a permission, until the scope closes. */
const askingConsole = Effect.fnUntraced(function* (gateway: RealGateway, ask = "always") {
  const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
  yield* Effect.acquireRelease(
    Effect.promise(() => setPolicy(url, { security: "allowlist", ask })),
    () => Effect.promise(() => setPolicy(url, {}))
  )
  return url
})

const request = (page: Page) => page.locator(".approval")
const allow = (page: Page) => page.getByRole("button", { name: "Allow once" }).click()

for (const shared of inject("gateways")) {
  describeOn(shared)(`commands that need a permission, with gateway ${shared.version}`, () => {
    const browser = useBrowser()

    it.live("are asked for on the open page, also after a reload; allowed they run, denied they do not", () =>
      Effect.gen(function* () {
        // An older gateway asks only for what runs on its own host, which is a setting of the start.
        const extra = ["--set", 'tools.exec.host="gateway"']
        const gateway = isNew(shared) ? shared : yield* startGateway({ version: shared.version, extra })
        const url = yield* askingConsole(gateway)
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            const key = await openNewSession(page, url)
            await say(page, running("allowed.txt"))
            await request(page).getByText("touch allowed.txt").waitFor({ timeout: 60_000 })
            await page.locator(".activity", { hasText: "Waiting for you" }).waitFor()
            await page.locator(`a[data-session="${key}"].is-waiting`).waitFor()
            await keepPicture(page, `approval-gateway-${gateway.version}`)
            assert.isFalse(existsSync(fileOf(gateway, "allowed.txt")))
            await page.reload()
            await request(page).getByText("touch allowed.txt").waitFor()
            await allow(page)
            await request(page).waitFor({ state: "detached" })
            await finishedAnswer(page, "I am through with allowed.txt")
            await page.waitForFunction(() => !document.title.includes("Waiting for you"))
            // An older gateway runs it beside the turn.
            await vi.waitUntil(() => existsSync(fileOf(gateway, "allowed.txt")), { timeout: 10_000 })

            await say(page, running("denied.txt"))
            await request(page).getByText("touch denied.txt").waitFor()
            await request(page).getByRole("button", { name: "Deny" }).click()
            await request(page).waitFor({ state: "detached" })
            await finishedAnswer(page, "I am through with denied.txt")
            assert.isFalse(existsSync(fileOf(gateway, "denied.txt")))
          })
        )
      }).pipe(Effect.scoped)
    )

    // The newer gateway doesn't offer it for what these tests can make its agent run.
    if (!isNew(shared))
      it.live("are covered by Always allow as the card says, whatever the arguments", () =>
        Effect.gen(function* () {
          const gateway = yield* startGateway({
            version: shared.version,
            extra: ["--set", 'tools.exec.host="gateway"']
          })
          const url = yield* askingConsole(gateway, "on-miss")
          yield* Effect.promise(() =>
            withPage(browser, {}, async (page) => {
              await openNewSession(page, url)
              await say(page, running("always.txt"))
              await request(page).getByText("touch always.txt").waitFor({ timeout: 60_000 })
              await request(page).getByText("can cover this program with any arguments").waitFor()
              await request(page).getByRole("button", { name: "Always allow" }).click()
              await finishedAnswer(page, "I am through with always.txt")
              await openNewSession(page, url)
              await say(page, running("other.txt"))
              await finishedAnswer(page, "I am through with other.txt")
            })
          )
          yield* Effect.promise(() => vi.waitUntil(() => existsSync(fileOf(gateway, "other.txt")), { timeout: 10_000 }))
        }).pipe(Effect.scoped)
      )

    if (!isNew(shared)) return
    it.live("wait for a page that is opened later, in conversations, board runs and jobs", () =>
      Effect.gen(function* () {
        const url = yield* askingConsole(shared)
        const board = boardCalls({ url })
        yield* Effect.promise(async () => {
          // Nobody looks: only the console's own link is there to show what is asked.
          const sessionKey = `agent:main:asked-${Date.now()}`
          await gatewayCall(url, "chat.send", {
            sessionKey,
            message: running("alone.txt"),
            idempotencyKey: sessionKey
          })
          const card = await board.create({ title: "Runs a command", description: running("board.txt") })
          await board.call("POST", `tasks/${card.id}/execute`)
          const job = await gatewayCall(url, "cron.add", {
            name: `asks ${Date.now()}`,
            enabled: true,
            schedule: { kind: "every", everyMs: 86_400_000 },
            sessionTarget: "isolated",
            wakeMode: "now",
            payload: { kind: "agentTurn", message: running("job.txt") },
            delivery: { mode: "none" }
          })
          const id = filledText(fieldsOf(job).id)
          await gatewayCall(url, "cron.run", { id, mode: "force" })

          await withPage(browser, {}, async (page) => {
            await page.goto(`${url}/chat/${encodeURIComponent(sessionKey)}`)
            await connected(page)
            await page.locator(".navigation .count", { hasText: "3" }).waitFor({ timeout: 60_000 })
            await request(page).getByText("touch alone.txt").waitFor()
            assert.strictEqual((await board.find(card.id))?.status, "in-progress")
            await allow(page)
            await finishedAnswer(page, "I am through with alone.txt")
            await page.getByRole("link", { name: "Inbox" }).click()
            const inbox = page.locator("#main")
            await inbox.locator(".approval", { hasText: "job.txt" }).waitFor()
            await page.locator(".sessions").getByRole("button", { name: /^Jobs/ }).click()
            await page.locator('a[data-session*=":cron:"].is-waiting').waitFor({ state: "attached" })
            await keepPicture(page, `approvals-gateway-${shared.version}`)
            for (const name of ["board.txt", "job.txt"]) {
              const asked = inbox.locator(".approval", { hasText: name })
              await asked.getByRole("button", { name: "Allow once" }).click()
              await asked.waitFor({ state: "detached" })
            }
            await page.goto(`${url}/board`)
            await page
              .locator('[data-column="review"] .card', { hasText: "Runs a command" })
              .waitFor({ timeout: 60_000 })
          })
          await gatewayCall(url, "cron.remove", { id })
          for (const name of ["alone.txt", "board.txt", "job.txt"])
            assert.isTrue(existsSync(fileOf(shared, name)), name)
        })
      }).pipe(Effect.scoped)
    )
  })
}
