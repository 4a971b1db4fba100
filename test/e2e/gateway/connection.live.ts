import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { MANUAL_PAIRING, startGateway } from "../../gateway/support/realGateway.ts"
import { temporaryDirectory } from "../../gateway/support/temporaryDirectory.ts"
import { freePort } from "../../support/freePort.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "../support/conversation.ts"
import { gatewayHistory } from "../support/gatewayHistory.ts"
import { useBrowser } from "../support/useConsole.ts"

const execute = promisify(execFile)
const BROKEN = [/WebSocket|ERR_|Failed to load resource/]

/**
 * How each generation comes to ask for an approval on this machine: the newer is told to, the older asks whoever does not
 * name a loopback host, and 0.0.0.0 is none although it leads here.
 */
const cautious = (version: string) =>
  version.startsWith("2026.3") ? { extra: [], host: "0.0.0.0" } : { extra: MANUAL_PAIRING, host: "127.0.0.1" }
/** The server checks every eight seconds and notifies the page. */
const APPROVED_WITHIN_MS = 10_000

for (const offered of inject("gateways")) {
  const { version } = offered
  const { extra, host } = cautious(version)
  describeOn(offered)(`gateway ${version} that has not approved the console's device`, () => {
    const browser = useBrowser()

    it.live("a page names the command, gets in by itself once it has run, and is answered", () =>
      Effect.gen(function* () {
        const gateway = yield* startGateway({ version, extra })
        const address = gateway.url.replace("127.0.0.1", host)
        const { url } = yield* startConsole({ GATEWAY_URL: address, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, { expectedErrors: BROKEN }, async (page) => {
            page.setDefaultTimeout(60_000)
            await page.goto(url)
            const banner = page.locator('[data-banner="unapproved"]')
            const command = (await banner.locator("code").textContent()) ?? ""
            assert.match(command, /^openclaw devices approve [\w-]{36}$/)
            await page.locator('[data-connection="unapproved"]').waitFor()
            await page.locator(".sessions-note", { hasText: "once the gateway is connected" }).waitFor()
            assert.strictEqual(await page.getByText(/allow this console/).count(), 0)
            await keepPicture(page, `gateway-${version}-unapproved`)

            await execute(gateway.cli, command.split(" ").slice(1))
            const approvedAt = Date.now()
            await connected(page)
            const took = Date.now() - approvedAt
            console.log(`gateway ${version}: in ${took} ms after the approval`)
            assert.isBelow(took, APPROVED_WITHIN_MS)
            await banner.waitFor({ state: "detached" })
            await openNewSession(page, url)
            await say(page, "Hello. [[mock:text=approved and answered]]")
            await finishedAnswer(page, "approved and answered")
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}

/** When the console's server says so of its own link, now or later; epoch milliseconds. */
const serverIs = (page: Page, state: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const events = new EventSource("/api/events")
        events.addEventListener("status.changed", ({ data }) => {
          if (JSON.parse(data).data.gateway !== wanted) return
          events.close()
          resolve(Date.now())
        })
      }),
    state
  )

/** How far apart the two links may come back after an outage. */
const TOGETHER_WITHIN_MS = 3_000

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`gateway ${version} that goes and comes back`, () => {
    const browser = useBrowser()

    it.live("has both links again, the page's and the server's, one right after the other", () =>
      Effect.gen(function* () {
        const options = {
          version,
          home: yield* temporaryDirectory,
          port: yield* Effect.promise(freePort),
          token: "outage-token"
        }
        const first = yield* Scope.make()
        const gateway = yield* startGateway(options).pipe(Scope.provide(first))
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, { expectedErrors: BROKEN }, async (page) => {
            page.setDefaultTimeout(90_000)
            await page.goto(url)
            await connected(page)
            await Effect.runPromise(Scope.close(first, Exit.void))
            await page.locator('[data-banner="waiting"]').waitFor()
            await serverIs(page, "unreachable")
            const pageIsBack = page
              .locator('[data-connection="ready"]')
              .waitFor({ state: "attached" })
              .then(() => Date.now())
            const scope = await Effect.runPromise(Scope.make())
            const startedAt = Date.now()
            await Effect.runPromise(startGateway(options).pipe(Scope.provide(scope)))
            try {
              const readyAt = Date.now()
              const times = await Promise.all([pageIsBack, serverIs(page, "ok")])
              const [ofPage, ofServer] = times
              console.log(
                `gateway ${version}: ready after ${readyAt - startedAt} ms, page ${ofPage - readyAt} ms, server ${ofServer - readyAt} ms later`
              )
              assert.isBelow(Math.abs(ofPage - ofServer), TOGETHER_WITHIN_MS)
              await openNewSession(page, url)
              await say(page, "Back? [[mock:text=back again]]")
              await finishedAnswer(page, "back again")
            } finally {
              await Effect.runPromise(Scope.close(scope, Exit.void))
            }
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`a page in front of gateway ${gateway.version} that is closed in the middle of an answer`, () => {
    const browser = useBrowser()

    it.live("leaves the turn running; the answer is in the history, and another page shows it", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            page.setDefaultTimeout(60_000)
            const closed = await page.context().newPage()
            closed.setDefaultTimeout(60_000)
            const key = await openNewSession(closed, url)
            await say(closed, "Go on. [[mock:text=one two three four five six]] [[mock:chunks=6]] [[mock:delay=400]]")
            await closed.locator('[data-activity="STREAMING"]').waitFor()
            await closed.close()
            const early = (await gatewayHistory(url, key, {})).find(({ role }) => role === "assistant")
            assert.notInclude(early?.text ?? "", "six")

            await page.goto(`${url}/chat/${encodeURIComponent(key)}`)
            await connected(page)
            await finishedAnswer(page, "one two three four five six")
            await idle(page)
            // An older gateway writes the question down with its answer, so it's read a moment later.
            await page.locator(".message").nth(1).waitFor()
            assert.strictEqual(await page.locator(".message").count(), 2)
            assert.strictEqual((await gatewayHistory(url, key, {})).at(-1)?.text, "one two three four five six")
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}
