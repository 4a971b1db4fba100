import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { type RealGateway, startGateway } from "../../gateway/support/realGateway.ts"
import { type PushDouble, startPushDouble } from "../../support/pushDouble.ts"
import { withPage } from "../support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "../support/conversation.ts"
import { setPolicy } from "../support/execPolicy.ts"
import { notices, pushDelivery, stubPush, tap } from "../support/pushPage.ts"
import { useBrowser } from "../support/useConsole.ts"

const isNew = ({ version }: RealGateway) => version.startsWith("2026.9")
const PHONE = "phone"

/** What came to the phone, once there are so many messages. */
const received = async (double: PushDouble, count: number) => (await double.count(count)).map(({ payload }) => payload)

/** Switches notifications on in a page whose push service is the double. */
const notified = async (page: Page, url: string) => {
  await page.context().grantPermissions(["notifications"], { origin: url })
  await page.goto(`${url}/settings/notifications`)
  await connected(page)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const deliver = await pushDelivery(page)
  await page.getByRole("switch", { name: "Notify this device" }).check()
  await page.getByText("this device", { exact: true }).waitFor()
  return deliver
}

for (const shared of inject("gateways")) {
  describeOn(shared)(`notifications of what agents need, with gateway ${shared.version}`, () => {
    const browser = useBrowser()

    /** A console with a page that is notified; every command of the gateway's agent needs a permission. */
    const withPhone = (run: (page: Page, double: PushDouble, gateway: RealGateway, url: string) => Promise<void>) =>
      Effect.gen(function* () {
        const extra = ["--set", 'tools.exec.host="gateway"']
        const gateway = isNew(shared) ? shared : yield* startGateway({ version: shared.version, extra })
        const double = yield* Effect.acquireRelease(
          Effect.promise(() => startPushDouble()),
          (started) => Effect.promise(() => started.stop())
        )
        const { url } = yield* startConsole({
          GATEWAY_URL: gateway.url,
          GATEWAY_TOKEN: gateway.token,
          PUSH_ALLOWED_ORIGINS: double.origin
        })
        yield* Effect.acquireRelease(
          Effect.promise(() => setPolicy(url, { security: "allowlist", ask: "always" })),
          () => Effect.promise(() => setPolicy(url, {}))
        )
        const prepare = (page: Page) => stubPush(page, double.subscribe(PHONE))
        yield* Effect.promise(() =>
          withPage(browser, { serviceWorkers: "allow", prepare }, (page) => run(page, double, gateway, url))
        )
        assert.deepStrictEqual(double.faults, [])
      }).pipe(Effect.scoped)

    it.live("a command is denied from the notification, and doesn't run", () =>
      withPhone(async (page, double, gateway, url) => {
        const deliver = await notified(page, url)
        await openNewSession(page, url)
        await say(page, 'Run it. [[mock:tool=exec {"command":"touch pushed.txt"}]] [[mock:text=I am through with it]]')
        const [asked] = await received(double, 1)
        await deliver(asked)
        const [shown] = await notices(page, 1)
        assert.deepInclude(shown, { title: "Approval needed", actions: ["Allow", "Deny"] })
        await tap(page.context(), String(asked?.id), "deny")
        await finishedAnswer(page, "I am through with it")
        await notices(page, 0)
        const [, ended] = await received(double, 2)
        assert.deepStrictEqual(ended, { id: asked?.id, kind: "approval", actions: [] })
        assert.isFalse(existsSync(join(gateway.gatewayHome, "workspace", "pushed.txt")))
      })
    )

    // The older generation has no questions.
    if (!isNew(shared)) return
    it.live("a question is skipped from the notification, and the agent goes on", () =>
      withPhone(async (page, double, _gateway, url) => {
        const deliver = await notified(page, url)
        await openNewSession(page, url)
        const options = [{ label: "Red" }, { label: "Blue" }]
        const question = { id: "colour", header: "Colour", question: "Which colour?", options }
        const asking = JSON.stringify({ questions: [question], timeoutSeconds: 300 })
        await say(page, `Go on. [[mock:tool=ask_user ${asking}]] [[mock:text=then I decide]]`)
        const [asked] = await received(double, 1)
        await deliver(asked)
        const [shown] = await notices(page, 1)
        assert.include(shown?.actions ?? [], "Skip")
        await tap(page.context(), String(asked?.id), "skip")
        await finishedAnswer(page, "then I decide")
        await notices(page, 0)
      })
    )
  })
}
