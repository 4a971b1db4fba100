import { assert, describe, it } from "@effect/vitest"
import { attentionText, type CheckInput, consoleChecks, openChecks } from "../../../src/core/checks/consoleChecks.ts"

const GOOD: CheckInput = {
  health: { uptimeMs: 60_000, gateway: "ok" },
  server: null,
  gatewayStatus: null,
  link: { phase: "ready", attempt: 0, nextAttemptAt: null, message: null },
  hello: {
    protocol: 4,
    serverVersion: "1",
    scopes: ["operator.admin", "operator.read", "operator.write"],
    mainSessionKey: "agent:main:main",
    startedAt: null,
    tickIntervalMs: 1,
    maxPayload: 1,
    methods: new Set()
  },
  defaults: { wsUrl: "", agentName: "A", authEnabled: true, serverSideAuth: true, gateways: [] },
  isSecure: true,
  notifications: "possible",
  isLoopback: false
}
const open = (change: Partial<CheckInput>) => openChecks(consoleChecks({ ...GOOD, ...change })).map(({ id }) => id)

describe("consoleChecks", () => {
  it("finds nothing to do where all is well, nor where nothing is known yet", () => {
    assert.deepStrictEqual(open({}), [])
    const connecting = { phase: "connecting", attempt: 1, nextAttemptAt: null, message: null } as const
    assert.deepStrictEqual(open({ health: null, hello: null, defaults: null, link: connecting }), [])
  })

  it("names each thing that is wrong, with what to do", () => {
    const offline = { kind: "offline", status: 0, message: "No answer.", retryAfterMs: null, body: null } as const
    assert.deepStrictEqual(open({ health: offline }), ["server"])
    assert.deepStrictEqual(open({ health: { uptimeMs: 1, gateway: "unreachable" } }), ["gateway"])
    assert.deepStrictEqual(open({ gatewayStatus: { gateway: "unreachable", since: 1, reason: "Refused." } }), [
      "gateway"
    ])
    assert.deepStrictEqual(open({ link: { phase: "refused", attempt: 1, nextAttemptAt: null, message: "No." } }), [
      "link"
    ])
    assert.deepStrictEqual(open({ hello: GOOD.hello && { ...GOOD.hello, scopes: ["operator.read"] } }), ["rights"])
    assert.deepStrictEqual(open({ defaults: GOOD.defaults && { ...GOOD.defaults, authEnabled: false } }), ["sign-in"])
    assert.deepStrictEqual(open({ isSecure: false }), ["browser"])
    for (const check of openChecks(consoleChecks({ ...GOOD, health: offline, isSecure: false })))
      assert.isNotNull(check.advice)
  })

  it("says that the browser blocks notifications, or has none, without calling it a fault", () => {
    const browser = (notifications: CheckInput["notifications"]) =>
      consoleChecks({ ...GOOD, notifications }).find(({ id }) => id === "browser")
    assert.strictEqual(browser("possible")?.text, "Microphone, notifications and installing are available.")
    const denied = browser("denied")
    assert.deepInclude(denied, {
      state: "ok",
      text: "Microphone and installing are available. Notifications are blocked for this site."
    })
    assert.match(denied?.advice ?? "", /site settings/)
    assert.match(browser("missing")?.text ?? "", /has no notifications/)
    assert.deepStrictEqual(open({ notifications: "denied" }), [])
  })

  it("counts what needs attention, one or several", () => {
    assert.deepStrictEqual(
      [0, 1, 2].map((open) => attentionText(open, 15)),
      ["Nothing needs your attention.", "1 of 15 needs attention.", "2 of 15 need attention."]
    )
  })

  it("a console without a password is right on its own computer", () => {
    const defaults = GOOD.defaults && { ...GOOD.defaults, authEnabled: false }
    assert.deepStrictEqual(open({ defaults, isLoopback: true }), [])
  })

  it("takes the server's own word for gateway and sign-in where there is one", () => {
    const server = [{ id: "port", label: "Port", state: "problem", text: "Taken.", advice: "Free it." } as const]
    assert.deepStrictEqual(open({ server, health: { uptimeMs: 1, gateway: "unreachable" } }), ["port"])
  })

  it("an older gateway that names no scopes has all of them", () => {
    assert.deepStrictEqual(open({ hello: GOOD.hello && { ...GOOD.hello, scopes: null } }), [])
  })
})
