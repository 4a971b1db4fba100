import { assert, describe, it } from "@effect/vitest"
import { healthOf } from "../../../src/core/checks/consoleChecks.ts"
import type { LinkPhase, LinkState } from "../../../src/core/link/linkTypes.ts"
import {
  gatewayView,
  isFirstTry,
  median,
  readUpdate,
  reasonParts,
  updateNews
} from "../../../src/core/operations/gatewayFacts.ts"

const link = (phase: LinkPhase, message: string | null = null): LinkState => ({
  phase,
  attempt: 0,
  nextAttemptAt: null,
  message
})

describe("the gateway's state", () => {
  it("distinguishes the page's connection from the server's", () => {
    assert.strictEqual(gatewayView(link("ready"), { gateway: "ok", reason: null }).word, "Connected")
    assert.strictEqual(gatewayView(link("ready"), null).tone, "ok")
    const half = gatewayView(link("ready"), { gateway: "unreachable", reason: "The gateway is starting." })
    assert.deepStrictEqual([half.tone, half.detail], ["busy", "The gateway is starting."])
    assert.strictEqual(gatewayView(link("unapproved"), null).word, "Not approved")
    assert.deepInclude(gatewayView(link("refused", "No."), null), { tone: "bad", detail: "No." })
    for (const phase of ["connecting", "waiting", "gaveUp", "unauthorized", "closed"] as const)
      assert.notStrictEqual(gatewayView(link(phase), null).tone, "ok")
  })
})

it("only checks while the page connects for the first time", () => {
  const first = { ...link("connecting"), attempt: 1 }
  assert.deepInclude(gatewayView(first, null), { tone: "busy", word: "Checking…" })
  assert.isTrue(isFirstTry(first))
  assert.strictEqual(gatewayView({ ...first, attempt: 2 }, null).word, "Connecting…")
  assert.strictEqual(gatewayView(link("connecting", "Slow."), null).word, "Connecting…")
})

describe("the news about versions", () => {
  const news = (change: Partial<Parameters<typeof updateNews>[0]>) =>
    updateNews({ latest: "1.1.0", isNewer: false, canInstall: true, reason: null, ...change })
  const reason = "the checkout has no git remote"

  it("leads to the command where that can work", () => {
    assert.match(news({ latest: null, reason: "no network" }), /^Couldn't check for updates\. To .*:$/)
    assert.match(news({}), /^You have the latest version\. To .*:$/)
    assert.match(news({ isNewer: true }), /^Version 1\.1\.0 is available\. To .*:$/)
  })

  it("says what is in the way where it can't", () => {
    const cannot = { canInstall: false, reason }
    assert.strictEqual(news({ ...cannot, latest: null }), "This copy doesn't get updates.")
    assert.strictEqual(news(cannot), "You have the latest version.")
    assert.match(news({ ...cannot, isNewer: true }), /^Version 1\.1\.0 is available, but .*no git remote\.$/)
  })

  it("gives the reason as a sentence, with its commands apart", () => {
    assert.deepStrictEqual(reasonParts(reason), { text: "The checkout has no git remote.", command: null })
    assert.deepStrictEqual(reasonParts("no remote: run `git remote add …`"), {
      text: "No remote: run:",
      command: "git remote add"
    })
  })
})

describe("facts from the server", () => {
  it("are as the page shows them", () => {
    assert.deepStrictEqual(healthOf({ status: "ok", uptime: 1.5, gateway: "ok" }), {
      uptimeMs: 1_500,
      gateway: "ok",
      database: null
    })
    assert.deepStrictEqual(
      readUpdate({ current: "1.0.0", latest: "1.1.0", updateAvailable: true, installable: true, checkedAt: 1 }),
      {
        current: "1.0.0",
        latest: "1.1.0",
        isNewer: true,
        canInstall: true,
        reason: null
      }
    )
    assert.deepInclude(
      readUpdate({
        current: "1.0.0",
        latest: null,
        updateAvailable: false,
        installable: true,
        reason: "no network",
        checkedAt: 1
      }),
      {
        isNewer: false,
        reason: "no network"
      }
    )
    assert.strictEqual(median([5, 1, 9]), 5)
    assert.isNull(median([]))
  })
})
