import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type LinkOptions, newDevice, openLink } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import { EmbeddedGateway } from "../src/EmbeddedGateway.ts"
import { operator } from "./operator.ts"

const attempt = Effect.fnUntraced(function* (options: LinkOptions) {
  const gateway = yield* EmbeddedGateway
  const link = yield* openLink(gateway.wsUrl, options.headers)
  const answer = yield* link.connect({ token: Redacted.value(gateway.token), ...options })
  return { link, answer, gateway }
})

const scopesOf = (payload: unknown) => JSON.stringify(payload).match(/"auth":\{.*?"scopes":(\[[^\]]*\])/)?.[1] ?? "none"

for (const generation of ["old", "new"] as const) {
  const layer = practiceGateway({ generation, tokenMs: 0 })
  const manual = practiceGateway({ generation, tokenMs: 0, deviceApproval: "manual" })
  const isNew = generation === "new"

  describe(`who the ${generation} generation lets in`, () => {
    it.live("a command-line client without a device keeps its scopes in the newer generation only", () =>
      Effect.gen(function* () {
        const { answer } = yield* attempt({ client: { id: "cli", mode: "cli" }, scopes: ["operator.read"] })
        assert.isTrue(answer.ok)
        assert.strictEqual(scopesOf(answer.payload), isNew ? '["operator.read"]' : "none")
      }).pipe(Effect.provide(layer))
    )

    it.live("an allowed origin means a browser: a new device needs approval, another host is refused", () =>
      Effect.gen(function* () {
        const headers = { origin: "http://localhost:3080" }
        const { answer } = yield* attempt({ device: newDevice(), headers })
        assert.strictEqual(answer.error?.code, "NOT_PAIRED")
        const other = yield* attempt({ device: newDevice(), headers: { origin: "https://console.example" } })
        assert.strictEqual(other.answer.error?.details?.code, "CONTROL_UI_ORIGIN_NOT_ALLOWED")
        const page = yield* attempt({ device: newDevice(), headers, client: { id: "webchat-ui", mode: "webchat" } })
        assert.isTrue(page.answer.ok)
        const noOrigin = yield* attempt({ device: newDevice(), client: { id: "webchat-ui", mode: "webchat" } })
        assert.strictEqual(noOrigin.answer.error?.details?.code, "CONTROL_UI_ORIGIN_NOT_ALLOWED")
      }).pipe(Effect.provide(layer))
    )

    it.live("forwarded headers make a connection remote, or end it at the upgrade", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const headers = { "x-forwarded-for": "192.0.2.1" }
        if (isNew) {
          const link = yield* openLink(gateway.wsUrl, headers)
          assert.strictEqual(yield* link.refused, 403)
        } else {
          const { answer } = yield* attempt({ device: newDevice(), headers })
          assert.strictEqual(answer.error?.details?.code, "PAIRING_REQUIRED")
        }
        const [seen] = yield* gateway.control.requests
        assert.strictEqual(seen?.headers["x-forwarded-for"], "192.0.2.1")
      }).pipe(Effect.provide(layer))
    )

    it.live("a paired device may not change its platform, and gets its token again", () =>
      Effect.gen(function* () {
        const device = newDevice()
        const first = yield* attempt({ device })
        const again = yield* attempt({ device })
        const token = (payload: unknown) => JSON.stringify(payload).match(/"deviceToken":"([^"]+)"/)?.[1]
        assert.match(token(first.answer.payload) ?? "", /^[\w-]{43}$/)
        assert.strictEqual(token(again.answer.payload), token(first.answer.payload))
        const byToken = yield* attempt({ device, auth: { deviceToken: token(first.answer.payload) } })
        assert.isTrue(byToken.answer.ok, JSON.stringify(byToken.answer.error))
        const moved = yield* attempt({ device, client: { platform: "MacIntel" } })
        assert.strictEqual(moved.answer.error?.details?.reason, "metadata-upgrade")
      }).pipe(Effect.provide(layer))
    )

    it.live("a v2 signature counts, and v3 can be refused", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        assert.isTrue((yield* attempt({ device: newDevice(), version: "v2" })).answer.ok)
        yield* gateway.control.setSignatures(["v2"])
        const refused = yield* attempt({ device: newDevice(), version: "v3" })
        assert.strictEqual(refused.answer.error?.details?.code, "DEVICE_AUTH_SIGNATURE_INVALID")
      }).pipe(Effect.provide(layer))
    )

    it.live("a device waits for approval, and connects once it is approved", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const device = newDevice()
        const refused = yield* attempt({ device })
        assert.strictEqual(refused.answer.error?.details?.reason, "not-paired")
        const closed = yield* refused.link.closed
        assert.strictEqual(closed.code, 1008)
        if (isNew) assert.include(closed.reason, `(requestId: ${refused.answer.error?.details?.requestId})`)
        yield* attempt({ device })
        assert.strictEqual(yield* gateway.control.approveDevices, 1)
        assert.isTrue((yield* attempt({ device })).answer.ok)
      }).pipe(Effect.provide(manual))
    )

    it.live("operators see who asks, and approve, reject or remove", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const { link } = yield* operator()
        yield* gateway.control.setDevicePolicy("manual")
        const device = newDevice()
        yield* attempt({ device })
        const asked = yield* link.waitFor((frame) => frame.event === "device.pair.requested")
        assert.strictEqual(asked.payload?.deviceId, device.id)
        yield* link.call("device.pair.approve", { requestId: asked.payload?.requestId })
        const resolved = yield* link.waitFor((frame) => frame.event === "device.pair.resolved")
        assert.strictEqual(resolved.payload?.decision, "approved")
        const paired = yield* attempt({ device })
        assert.isTrue(paired.answer.ok)
        yield* link.call("device.pair.remove", { deviceId: device.id })
        if (isNew) assert.deepStrictEqual(yield* paired.link.closed, { code: 4001, reason: "device removed" })
        assert.strictEqual((yield* attempt({ device })).answer.error?.code, "NOT_PAIRED")
        const { pending } = yield* link.call("device.pair.list")
        const open = Array.isArray(pending) ? pending[0]?.requestId : undefined
        yield* link.call("device.pair.reject", { requestId: open })
        assert.strictEqual((yield* link.request("device.pair.reject", { requestId: open })).ok, false)
      }).pipe(Effect.provide(layer))
    )

    it.live("a write scope is not an admin scope", () =>
      Effect.gen(function* () {
        const { link } = yield* operator({ scopes: ["operator.write"] })
        assert.isTrue((yield* link.request("sessions.list")).ok)
        const patch = yield* link.request("sessions.patch", { key: "main", model: "demo/swift" })
        assert.strictEqual(patch.ok, isNew)
        const reset = yield* link.request("sessions.reset", { key: "main" })
        assert.strictEqual(reset.error?.message, "missing scope: operator.admin")
        assert.strictEqual(reset.error?.code, isNew ? "FORBIDDEN" : "INVALID_REQUEST")
      }).pipe(Effect.provide(layer))
    )

    it.live("ten wrong tokens from a browser lock browsers out, and nobody else", () =>
      Effect.gen(function* () {
        const headers = { origin: "http://localhost:3080" }
        for (let count = 0; count < 10; count += 1) {
          const { answer } = yield* attempt({ token: "wrong", device: newDevice(), headers })
          assert.strictEqual(answer.error?.details?.code, "AUTH_TOKEN_MISMATCH")
        }
        const locked = yield* attempt({ device: newDevice(), headers })
        assert.strictEqual(locked.answer.error?.details?.code, "AUTH_RATE_LIMITED")
        assert.isTrue((yield* attempt({ device: newDevice() })).answer.ok)
      }).pipe(Effect.provide(layer))
    )

    it.live("anything but a connect ends the connection", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const closeAfter = Effect.fnUntraced(function* (text: string) {
          const link = yield* openLink(gateway.wsUrl)
          yield* link.waitFor((frame) => frame.event === "connect.challenge")
          yield* link.send(text)
          return yield* link.closed
        })
        const first = "invalid handshake: first request must be connect"
        assert.deepStrictEqual(yield* closeAfter('{"type":"req","id":"1","method":"health"}'), {
          code: 1008,
          reason: first
        })
        assert.deepStrictEqual(yield* closeAfter('{"type":"foo"}'), { code: 1008, reason: "invalid request frame" })
        assert.deepStrictEqual(yield* closeAfter("hello"), { code: 1000, reason: "" })
        assert.deepStrictEqual(yield* closeAfter("x".repeat(65 * 1024)), { code: 1009, reason: "" })
      }).pipe(Effect.provide(layer))
    )

    it.live("after the handshake what is not JSON is ignored and a malformed request is answered", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* link.send("not json")
        yield* link.send({ type: "zzz" })
        const invalid = yield* link.waitFor((frame) => frame.id === "invalid")
        assert.include(invalid.error?.message, "must have required property 'id'")
        yield* link.send({ type: "req", id: "x", method: "health", extra: 1 })
        const extra = yield* link.waitFor((frame) => frame.id === "x")
        assert.strictEqual(extra.error?.message, "invalid request frame: at root: unexpected property 'extra'")
      }).pipe(Effect.provide(layer))
    )

    it.live("a frame over 25 MiB ends the connection", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* link.send("x".repeat(25 * 1024 * 1024 + 1))
        assert.deepStrictEqual(yield* link.closed, { code: 1009, reason: "" })
      }).pipe(Effect.provide(layer))
    )

    it.effect("a client that never sends connect is closed in time", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const link = yield* openLink(gateway.wsUrl)
        yield* link.waitFor((frame) => frame.event === "connect.challenge")
        yield* TestClock.adjust(isNew ? "15 seconds" : "10 seconds")
        assert.deepStrictEqual(yield* link.closed, { code: 1000, reason: "" })
      }).pipe(Effect.provide(layer))
    )
  })
}
