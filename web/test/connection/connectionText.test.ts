import { assert, describe, it } from "@effect/vitest"
import { commandToRun, connectionBanner, connectionLabel, waitingNote } from "../../src/connection/connectionText.ts"
import type { LinkPhase, LinkState } from "../../src/core/link/linkTypes.ts"

const link = (phase: LinkPhase, change: Partial<LinkState> = {}): LinkState => ({
  phase,
  attempt: 0,
  nextAttemptAt: null,
  message: null,
  ...change
})

describe("connectionBanner", () => {
  it("is silent while connected and during the first attempt", () => {
    assert.isNull(connectionBanner(link("ready"), 0, true))
    assert.isNull(connectionBanner(link("connecting", { attempt: 1 }), 0, false))
  })

  it("names what answers in the console's place in every state, with a button that loads the address again", () => {
    for (const phase of ["ready", "waiting", "connecting", "gaveUp", "unapproved", "refused"] as const) {
      const banner = connectionBanner(link(phase, { attempt: 3, message: "x" }), 0, true, { isIntercepted: true })
      assert.match(banner?.title ?? "", /^Something between this browser and the console answers/)
      assert.deepStrictEqual([banner?.retry, banner?.reloads], ["Reload", true])
    }
  })

  it("says that live updates are interrupted while the server's events stay away", () => {
    assert.match(connectionBanner(link("ready"), 0, true, { isLive: false })?.title ?? "", /Live updates/)
  })

  it("counts down in whole seconds, never below zero, and offers to try now", () => {
    const waiting = link("waiting", { attempt: 2, nextAttemptAt: 10_000 })
    assert.strictEqual(connectionBanner(waiting, 6_500, true)?.title, "Connection lost. Next attempt in 4 s.")
    assert.strictEqual(connectionBanner(waiting, 12_000, true)?.title, "Connection lost. Trying again…")
    assert.strictEqual(connectionBanner(waiting, 0, true)?.retry, "Reconnect now")
  })

  it("says that the console is away, not the gateway behind it, unless the device is offline", () => {
    const lost = link("waiting", { attempt: 2, message: "Can't reach the gateway." })
    for (const state of [lost, { ...lost, phase: "connecting" as const }, { ...lost, phase: "gaveUp" as const }]) {
      assert.strictEqual(connectionBanner(state, 0, true)?.detail, "Can't reach the gateway.")
      const away = connectionBanner(state, 0, false, { hasConsole: false })
      assert.strictEqual(away?.detail, "Can't reach the console's server. Check that it's running.")
      assert.notInclude(away?.title ?? "", "gateway")
    }
    const offline = { ...lost, message: "This device is offline." }
    assert.strictEqual(connectionBanner(offline, 0, true, { hasConsole: false })?.detail, "This device is offline.")
  })

  it("speaks of no lost connection where there was none", () => {
    const waiting = link("waiting", { attempt: 2, nextAttemptAt: 10_000 })
    assert.strictEqual(
      connectionBanner(waiting, 6_500, false)?.title,
      "No connection to the gateway yet. Next attempt in 4 s."
    )
    assert.strictEqual(connectionBanner(waiting, 0, false)?.retry, "Try now")
    const trying = connectionBanner(link("connecting", { attempt: 2 }), 0, false)
    assert.strictEqual(trying?.title, "No connection to the gateway yet. Trying again…")
  })

  it("says how often it tried when it gave up, and what the gateway said when it refused", () => {
    assert.include(connectionBanner(link("gaveUp", { attempt: 50 }), 0, true)?.title, "50")
    const refused = connectionBanner(link("refused", { message: "Approve this device on the gateway host." }), 0, true)
    assert.strictEqual(refused?.detail, "Approve this device on the gateway host.")
    assert.strictEqual(refused?.retry, "Try again")
  })

  it("says what to do with the command that approves the console", () => {
    assert.match(
      connectionBanner(link("unapproved", { requestId: "r-1" }), 0, false)?.detail ?? "",
      /connects automatically/
    )
    assert.match(connectionBanner(link("unapproved"), 0, false)?.detail ?? "", /openclaw devices approve/)
  })

  it("has nothing to approve for a page the console does not sign in", () => {
    const banner = connectionBanner(link("unapproved"), 0, false, { signsIn: false })
    assert.match(banner?.detail ?? "", /SVC_AUTH=true/)
    assert.isNull(commandToRun(link("unapproved"), null, false))
  })
})

describe("commandToRun", () => {
  it("approves the newest request, or lists what can be approved", () => {
    const unapproved = link("unapproved", { requestId: "r-1" })
    assert.strictEqual(commandToRun(unapproved, null), "openclaw devices approve r-1")
    const told = { gateway: "ok", since: 1, reason: "x", approval: { requestId: "r-2" } } as const
    assert.strictEqual(commandToRun(unapproved, told), "openclaw devices approve r-2")
    assert.strictEqual(commandToRun(link("unapproved"), null), "openclaw devices list")
    assert.isNull(commandToRun(link("waiting"), told))
  })
})

describe("waitingNote", () => {
  const away = { gateway: "unreachable", since: 1, reason: "No gateway is listening." } as const
  const lost = { attempt: 2, message: "Can't reach the gateway." }

  it("gives the reason the server knows, else what the page saw", () => {
    for (const phase of ["waiting", "connecting", "gaveUp"] as const) {
      assert.strictEqual(waitingNote(link(phase, lost), away), "No gateway is listening.")
      assert.strictEqual(waitingNote(link(phase, lost), null), "Can't reach the gateway.")
      assert.strictEqual(waitingNote(link(phase, lost), { gateway: "ok", since: 1, reason: "x" }), lost.message)
    }
    assert.strictEqual(waitingNote(link("refused", { message: "No." }), away), "No.")
    assert.match(waitingNote(link("unapproved"), null) ?? "", /approval/)
  })

  it("speaks when the first attempt takes long", () => {
    const slow = link("connecting", { attempt: 1, message: "No word yet." })
    assert.strictEqual(waitingNote(slow, null), "No word yet.")
    assert.strictEqual(waitingNote(slow, away), "No gateway is listening.")
    assert.include(connectionBanner(slow, 0, false)?.title, "Still trying")
  })

  it("is silent while the first attempt runs and once it is connected", () => {
    assert.isNull(waitingNote(link("connecting", { attempt: 1 }), away))
    assert.isNull(waitingNote(link("ready"), away))
  })
})

describe("connectionLabel", () => {
  it("distinguishes the first connection from a later one", () => {
    assert.strictEqual(connectionLabel(link("connecting", { attempt: 1 })), "Connecting…")
    assert.strictEqual(connectionLabel(link("connecting", { attempt: 3 })), "Reconnecting…")
  })
})
