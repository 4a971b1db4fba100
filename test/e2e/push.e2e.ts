import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { type PushDouble, startPushDouble } from "../support/pushDouble.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, type PageOptions, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { jsonCalls } from "./support/jsonCalls.ts"
import { notices, pushDelivery, stubPush, tap } from "./support/pushPage.ts"
import { useConsole, useWholeBrowser } from "./support/useConsole.ts"

let double: PushDouble
beforeAll(async () => {
  double = await startPushDouble()
})
afterAll(() => double.stop())

const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null)
const deviceSwitch = (page: Page) => page.getByRole("switch", { name: "Notify this device" })

/** A console and a browser whose devices are removed after each test. */
const useDevices = () => {
  const console = useConsole(() => ({ PUSH_ALLOWED_ORIGINS: double.origin }))
  const browser = useWholeBrowser()
  const call = jsonCalls(console)

  afterEach(async () => {
    const { subscriptions } = Object(await call("GET", "/api/push"))
    for (const { id } of subscriptions) await call("DELETE", `/api/push/subscriptions/${id}`)
  })

  const openSettings = async (page: Page) => {
    await page.goto(`${console.url}/settings/notifications`)
    await connected(page)
    await deviceSwitch(page).waitFor()
  }

  /** A page whose device is notified, with what hands pushes to its worker. */
  const withDevice = (
    name: string,
    options: PageOptions,
    run: (page: Page, deliver: Awaited<ReturnType<typeof pushDelivery>>) => Promise<void>
  ) =>
    withPage(
      browser,
      { serviceWorkers: "allow", ...options, prepare: (page) => stubPush(page, double.subscribe(name)) },
      async (page) => {
        await page.context().grantPermissions(["notifications"], { origin: console.url })
        await openSettings(page)
        await controlled(page)
        const deliver = await pushDelivery(page)
        await deviceSwitch(page).check()
        await page.getByText("this device", { exact: true }).waitFor()
        await run(page, deliver)
        assert.deepStrictEqual(double.faults, [])
      }
    )
  return { call, console, openSettings, withDevice }
}

describe("notifications while no page is open", () => {
  const { call, console, openSettings, withDevice } = useDevices()

  const received = async (name: string, count: number) => {
    let known = 0
    for (;;) {
      const all = (await double.count(known)).filter((message) => message.name === name)
      if (all.length >= count) return all.map(({ payload }) => payload)
      known = double.received.length + 1
    }
  }

  for (const look of LOOKS)
    it(`are chosen in the settings, on a ${look.size} in ${look.theme}`, () => {
      const name = `settings ${look.size} ${look.theme}`
      return withDevice(name, look, async (page, deliver) => {
        await page.getByRole("textbox", { name: "Name of this device" }).fill("My own device")
        await page.getByRole("checkbox", { name: "Proposals" }).uncheck()
        await page.getByRole("switch", { name: "Quiet hours" }).check()
        await page.getByLabel("From").fill("23:15")
        await page.getByLabel("To", { exact: true }).fill("06:45")
        await page.getByRole("switch", { name: "Show the text" }).check()
        await page.getByRole("button", { name: "Send a test notification to My own device" }).click()
        await page.getByText("A test notification is on its way to My own device.").waitFor()
        await page.getByText("Last notification now").waitFor()
        const [test] = await received(name, 1)
        await deliver(test)
        const [shown] = await notices(page, 1)
        assert.deepInclude(shown, { title: "Notifications work", body: "Agent Console can reach My own device." })
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `push-${look.theme}-${look.size}`)
        await page.locator(".push-devices").scrollIntoViewIfNeeded()
        await keepPicture(page, `push-devices-${look.theme}-${look.size}`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        assert.isFalse(wide, "the page scrolls sideways")

        await openSettings(page)
        assert.isTrue(await deviceSwitch(page).isChecked())
        assert.isFalse(await page.getByRole("checkbox", { name: "Proposals" }).isChecked())
        assert.strictEqual(await page.getByLabel("From").inputValue(), "23:15")
        assert.strictEqual(await page.getByLabel("To", { exact: true }).inputValue(), "06:45")
        await deviceSwitch(page).uncheck()
        await page.getByRole("heading", { name: "Devices" }).waitFor({ state: "detached" })
        assert.isFalse(await deviceSwitch(page).isChecked())
      })
    })

  it("announce an approval, and Deny in them denies it", () =>
    withDevice("denies", {}, async (page, deliver) => {
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const [asked] = await received("denies", 1)
      await deliver(asked)
      const [shown] = await notices(page, 1)
      const id = String(asked?.id)
      assert.deepStrictEqual(shown, {
        tag: id,
        title: "Approval needed",
        body: "An agent is waiting for your permission.",
        actions: ["Allow", "Deny"],
        stays: true
      })
      assert.deepStrictEqual(await tap(page.context(), id, "deny"), [])
      await finishedAnswer(page, "I'll leave everything as it is")
      await notices(page, 0)
      const { items } = Object(await call("GET", "/api/inbox"))
      const denied = items.find((item: { id: string }) => item.id === id)
      assert.deepInclude(denied, { state: "resolved" })
      assert.deepInclude(denied.resolution, { action: "deny", by: "console" })
      const [, ended] = await received("denies", 2)
      assert.deepStrictEqual(ended, { id, kind: "approval", actions: [] })
    }))

  it("are taken back when it was decided elsewhere, also after the worker was ended", () =>
    withDevice("elsewhere", {}, async (page, deliver) => {
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const [asked] = await received("elsewhere", 1)
      await deliver(asked)
      await notices(page, 1)
      const session = await page.context().newCDPSession(page)
      await session.send("ServiceWorker.enable")
      await session.send("ServiceWorker.stopAllWorkers")
      await page.locator(".approval").getByRole("button", { name: "Allow once" }).click()
      const [, ended] = await received("elsewhere", 2)
      await deliver(ended)
      await notices(page, 0)
    }))

  it("are all shown, also while others are taken back", () =>
    withDevice("many", {}, async (page, deliver) => {
      const numbers = Array.from({ length: 20 }, (_, index) => index)
      const ended = numbers.map((index) => ({ id: `old${index}`, kind: "approval", actions: [] }))
      for (const index of numbers)
        await deliver(
          ...ended,
          { id: `new${index}`, kind: "finished", title: `Number ${index}`, body: "Done", actions: [] },
          ...ended
        )
      const shown = await notices(page, numbers.length)
      assert.sameMembers(
        shown.map(({ title }) => title),
        numbers.map((index) => `Number ${index}`)
      )
    }))

  it("say so when Deny comes too late", () =>
    withDevice("late", { expectedErrors: [/409/] }, async (page, deliver) => {
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const [asked] = await received("late", 1)
      await deliver(asked)
      await notices(page, 1)
      await page.locator(".approval").getByRole("button", { name: "Allow once" }).click()
      await received("late", 2)
      await tap(page.context(), String(asked?.id), "deny")
      const [shown] = await notices(page, 1)
      assert.deepInclude(shown, { title: "Already decided", body: "“Deny” came too late.", tag: String(asked?.id) })
    }))

  it("open the page by Allow, unless the device allows at once", () =>
    withDevice("allows", {}, async (page, deliver) => {
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const [asked] = await received("allows", 1)
      await deliver(asked)
      await notices(page, 1)
      assert.deepStrictEqual(await tap(page.context(), String(asked?.id), "allow-once"), ["focus"])
      await page.waitForURL((url) => url.pathname === `/inbox/${asked?.id}`)
      await openSettings(page)
      await page.getByRole("switch", { name: "Allow without opening the console" }).check()
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const direct = (await received("allows", 2)).at(-1)
      await deliver(direct)
      await notices(page, 1)
      assert.deepStrictEqual(await tap(page.context(), String(direct?.id), "allow-once"), [])
      await finishedAnswer(page, "The command ran")
    }))

  it("announce an agent's question alone, even if the page would announce it", () =>
    withDevice("alone", {}, async (page) => {
      await page.context().addInitScript(() => {
        const told: Array<string> = []
        class Told {
          static permission = "granted"
          constructor(_title: string, { body }: { body: string }) {
            told.push(body)
            document.documentElement.dataset.told = JSON.stringify(told)
          }
        }
        Object.assign(window, { Notification: Told })
      })
      await openSettings(page)
      await page.getByRole("switch", { name: "Notify me" }).check()
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const [asked] = await received("alone", 1)
      await page.locator('.navigation a[href="/settings"]').click()
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
      await call("POST", `/api/inbox/${asked?.id}/resolve`, { action: "deny" })
      // The page reports the end of the turn, after the question.
      await page.locator("html[data-told]").waitFor({ state: "attached" })
      const told = await page.evaluate(() => document.documentElement.dataset.told)
      assert.notInclude(told, "Waiting for your answer")
    }))
})

// Its own console, which answers so many questions about devices a minute.
describe("notifications of a device that moves", () => {
  const { call, withDevice } = useDevices()

  it("keep the device when its browser gets another address", () =>
    withDevice("moves", {}, async (page) => {
      const old = double.subscribe("old")
      const next = double.subscribe("next")
      await call("POST", "/api/push/subscriptions", { ...old, label: "Kept", kinds: ["failed"] })
      const [worker] = page.context().serviceWorkers()
      await worker?.evaluate(
        `(async ({ old, next }) => {
          const waiting = []
          const event = new Event("pushsubscriptionchange")
          Object.assign(event, { oldSubscription: old, newSubscription: { toJSON: () => next }, waitUntil: (promise) => waiting.push(promise) })
          dispatchEvent(event)
          await Promise.all(waiting)
        })(${JSON.stringify({ old, next })})`
      )
      const { subscriptions } = Object(await call("GET", "/api/push"))
      const kept = subscriptions.find(({ label }: { label: string }) => label === "Kept")
      assert.deepStrictEqual(kept.kinds, ["failed"])
      assert.strictEqual(subscriptions.length, 2)
      await call("POST", `/api/push/subscriptions/${kept.id}/test`)
      assert.strictEqual(double.received.at(-1)?.name, "next")
      await call("DELETE", `/api/push/subscriptions/${kept.id}`)
    }))
})

describe("a browser that can't be notified", () => {
  // The demo sends nothing to other machines, so its push service is on this one.
  const console = useConsole(() => ({ PUSH_ALLOWED_ORIGINS: double.origin }))
  const browser = useWholeBrowser()

  const prepared = (script: () => void) => async (page: Page) => {
    await page.context().addInitScript(script)
  }

  const obstacles: ReadonlyArray<readonly [string, () => void, RegExp]> = [
    [
      "without HTTPS",
      () => Object.defineProperty(window, "isSecureContext", { value: false }),
      /only allow notifications over HTTPS or at localhost/
    ],
    ["without push", () => Reflect.deleteProperty(window, "PushManager"), /can't receive notifications while/],
    [
      "in a tab on an iPhone",
      () => {
        Reflect.deleteProperty(window, "PushManager")
        Object.defineProperty(navigator, "userAgent", {
          value: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)"
        })
      },
      /on the Home Screen: tap Share/
    ],
    [
      "where they are blocked",
      () => Object.defineProperty(Notification, "permission", { get: () => "denied" }),
      /blocks notifications from this site/
    ]
  ]
  for (const [where, prepare, sentence] of obstacles)
    it(`${where}: one sentence says what to do`, () =>
      withPage(browser, { prepare: prepared(prepare) }, async (page) => {
        await page.goto(`${console.url}/settings/notifications`)
        await connected(page)
        await deviceSwitch(page).waitFor()
        assert.strictEqual(await page.getByText(sentence).count(), 1)
        assert.isTrue(await deviceSwitch(page).isDisabled())
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `push-obstacle-${where.replaceAll(" ", "-")}`)
      }))

  const answers: ReadonlyArray<readonly [string, () => void, RegExp]> = [
    [
      "never answers",
      () => Object.assign(PushManager.prototype, { subscribe: () => new Promise(() => {}) }),
      /didn't answer within 10 seconds/
    ],
    [
      "refuses",
      () =>
        Object.assign(PushManager.prototype, { subscribe: () => Promise.reject(new DOMException("no", "AbortError")) }),
      /couldn't subscribe to its push service/
    ]
  ]
  for (const [does, prepare, sentence] of answers)
    it(`whose push service ${does}: one sentence says so, and the switch is off again`, () =>
      withPage(browser, { serviceWorkers: "allow", prepare: prepared(prepare) }, async (page) => {
        await page.context().grantPermissions(["notifications"], { origin: console.url })
        await page.clock.install()
        await page.goto(`${console.url}/settings/notifications`)
        await connected(page)
        await controlled(page)
        await deviceSwitch(page).click()
        if (does === "never answers") {
          await page.getByText("Asking the browser…").waitFor()
          await page.clock.fastForward(10_000)
        }
        await page.getByText(sentence).waitFor()
        assert.isFalse(await deviceSwitch(page).isChecked())
        assert.isFalse(await deviceSwitch(page).isDisabled())
      }))
})
