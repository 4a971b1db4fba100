import { createHash, createPublicKey, verify } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted, Schema } from "effect"
import { LinkWake } from "../../../../src/services/gateway/client/LinkWake.ts"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, type Peer, wsUpstream } from "../../../support/sockets.ts"

const TOKEN = "the gateway token"

/** What the web app sends: its own client values, no token and no device. */
const CONNECT = {
  type: "req",
  id: "c-1",
  method: "connect",
  params: {
    minProtocol: 3,
    maxProtocol: 3,
    client: { id: "gateway-client", version: "1.0.0", platform: "MacIntel", deviceFamily: "Desktop", mode: "ui" },
    role: "operator",
    scopes: ["operator.admin", "operator.read", "operator.write"],
    caps: ["tool-events", "approvals"]
  }
}

const challengeOf = (nonce: string, ts = 1_795_171_309_457) => ({
  type: "event",
  event: "connect.challenge",
  payload: { nonce, ts, capabilities: ["model-catalog-snapshot"] }
})

const HELLO = { type: "res", id: "c-1", ok: true, payload: { type: "hello-ok", protocol: 4, auth: { scopes: [] } } }

const refusal = (code: string, details: object, more: object = {}) => ({
  type: "res",
  id: "c-1",
  ok: false,
  error: { code, message: "refused", details, ...more }
})

const Sent = Schema.Struct({
  type: Schema.Literal("req"),
  id: Schema.String,
  method: Schema.Literal("connect"),
  params: Schema.Struct({
    minProtocol: Schema.Finite,
    maxProtocol: Schema.Finite,
    client: Schema.Record(Schema.String, Schema.String),
    role: Schema.String,
    scopes: Schema.Array(Schema.String),
    caps: Schema.Array(Schema.String),
    auth: Schema.Record(Schema.String, Schema.String),
    device: Schema.optionalKey(
      Schema.Struct({
        id: Schema.String,
        publicKey: Schema.String,
        signature: Schema.String,
        signedAt: Schema.Finite,
        nonce: Schema.String
      })
    )
  })
})
const received = (gateway: Peer) => Effect.map(gateway.nextJson, Schema.decodeUnknownSync(Sent))

/** Which layout the device's signature has, checked as the gateway checks it. */
const signatureVersion = ({ params }: typeof Sent.Type): "v2" | "v3" | "none" | "wrong" => {
  const { auth, client, device, role, scopes } = params
  if (device === undefined) return "none"
  const raw = Buffer.from(device.publicKey, "base64url")
  if (createHash("sha256").update(raw).digest("hex") !== device.id) return "wrong"
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: device.publicKey }, format: "jwk" })
  const common = [
    device.id,
    client.id,
    client.mode,
    role,
    scopes.join(","),
    device.signedAt,
    auth.token ?? auth.deviceToken ?? "",
    device.nonce
  ]
  const signature = Buffer.from(device.signature, "base64url")
  const isOver = (payload: string) => verify(null, Buffer.from(payload), key, signature)
  if (isOver(["v3", ...common, client.platform, client.deviceFamily].join("|"))) return "v3"
  return isOver(["v2", ...common].join("|")) ? "v2" : "wrong"
}

const trusted = Effect.fnUntraced(function* () {
  const upstream = yield* wsUpstream()
  const proxy = yield* serveProxy({ gatewayUrl: upstream.httpUrl, gatewayToken: Redacted.make(TOKEN) })
  return { ...proxy, upstream }
})

/** A browser and the gateway up to the signed `connect`. */
const connecting = Effect.gen(function* () {
  const { deviceId, port, upstream } = yield* trusted()
  const client = yield* openProxy(port, { target: upstream.url })
  const gateway = yield* upstream.accept
  yield* gateway.send(challengeOf("nonce-1"))
  assert.deepStrictEqual(yield* client.nextJson, challengeOf("nonce-1"))
  yield* client.send(CONNECT)
  return { client, gateway, upstream, deviceId }
})

describe("a trusted handshake with the gateway", () => {
  it.live("carries token, device and the console's own client values", () =>
    Effect.gen(function* () {
      const { client, deviceId, gateway } = yield* connecting
      const sent = yield* received(gateway)
      assert.strictEqual(sent.id, CONNECT.id)
      assert.deepStrictEqual(sent.params.auth, { token: TOKEN })
      assert.deepStrictEqual(sent.params.client, {
        ...CONNECT.params.client,
        platform: "agent-console",
        deviceFamily: "server"
      })
      assert.deepInclude(sent.params, { minProtocol: 3, maxProtocol: 4, scopes: CONNECT.params.scopes })
      assert.deepStrictEqual(sent.params.caps, ["tool-events", "approvals"])
      assert.deepInclude(sent.params.device, { id: deviceId, nonce: "nonce-1", signedAt: 1_795_171_309_457 })
      assert.strictEqual(signatureVersion(sent), "v3")
      yield* gateway.send(HELLO)
      assert.deepStrictEqual(yield* client.nextJson, HELLO)
    })
  )

  it.live("then relays everything as it is, another connect included", () =>
    Effect.gen(function* () {
      const { client, gateway } = yield* connecting
      yield* received(gateway)
      yield* gateway.send(HELLO)
      yield* client.next
      const again = JSON.stringify(CONNECT)
      yield* client.send(again)
      assert.strictEqual(yield* gateway.next, again)
      yield* gateway.send("not json")
      assert.strictEqual(yield* client.next, "not json")
    })
  )

  it.live("holds a connect that comes before the challenge", () =>
    Effect.gen(function* () {
      const { port, upstream } = yield* trusted()
      const client = yield* openProxy(port)
      yield* client.send(CONNECT)
      yield* client.send("what follows it")
      const gateway = yield* upstream.accept
      yield* gateway.send(challengeOf("late"))
      const sent = yield* received(gateway)
      assert.strictEqual(sent.params.device?.nonce, "late")
      assert.strictEqual(signatureVersion(sent), "v3")
      yield* gateway.send(HELLO)
      assert.strictEqual(yield* gateway.next, "what follows it")
    })
  )

  it.live("takes a connect in fragments", () =>
    Effect.gen(function* () {
      const { port, upstream } = yield* trusted()
      const client = yield* openProxy(port)
      const text = JSON.stringify(CONNECT)
      client.ws.send(text.slice(0, 20), { fin: false })
      client.ws.ping()
      client.ws.send(text.slice(20), { fin: true })
      const gateway = yield* upstream.accept
      yield* gateway.send(challengeOf("n"))
      assert.strictEqual(signatureVersion(yield* received(gateway)), "v3")
    })
  )

  it.live("answers the gateway's pings meanwhile", () =>
    Effect.gen(function* () {
      const { port, upstream } = yield* trusted()
      yield* openProxy(port)
      const gateway = yield* upstream.accept
      yield* Effect.callback<void>((resume) => {
        gateway.ws.once("pong", (data) =>
          resume(Effect.sync(() => assert.strictEqual(data.toString(), "are you there")))
        )
        gateway.ws.ping("are you there")
      })
    })
  )
})

describe("credentials stay at home", () => {
  const untouched = (overrides: Parameters<typeof serveProxy>[0], headers: Record<string, string> = {}) =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({
        gatewayUrl: upstream.httpUrl,
        gatewayToken: Redacted.make(TOKEN),
        ...overrides
      })
      const client = yield* openProxy(port, { target: upstream.url, headers })
      const gateway = yield* upstream.accept
      yield* gateway.send(challengeOf("n"))
      yield* client.next
      yield* client.send(CONNECT)
      assert.strictEqual(yield* gateway.next, JSON.stringify(CONNECT))
    })

  it.live("when the target is another port of the gateway's host", () =>
    untouched({ gatewayUrl: "http://127.0.0.1:1" })
  )

  it.live("when no token is configured", () => untouched({ gatewayToken: undefined }))

  it.live("when the request came from elsewhere through a trusted proxy", () =>
    untouched({}, { "X-Forwarded-For": "203.0.113.9" })
  )

  const firsts: Record<string, string | Buffer | object> = {
    "another request": { type: "req", id: "1", method: "health", params: {} },
    "no JSON": "{ connect",
    "a binary message": Buffer.from(JSON.stringify(CONNECT)),
    "a connect without a client": { ...CONNECT, params: {} },
    "a connect longer than the gateway reads": { ...CONNECT, padding: "x".repeat(70_000) }
  }
  for (const [name, first] of Object.entries(firsts)) {
    it.live(`when the first message is ${name}, even if a connect follows`, () =>
      Effect.gen(function* () {
        const { port, upstream } = yield* trusted()
        const client = yield* openProxy(port)
        const gateway = yield* upstream.accept
        yield* client.send(first)
        yield* client.send(CONNECT)
        const expected = typeof first === "string" || Buffer.isBuffer(first) ? first : JSON.stringify(first)
        assert.deepStrictEqual(yield* gateway.next, expected)
        assert.strictEqual(yield* gateway.next, JSON.stringify(CONNECT))
        yield* gateway.send("relayed")
        assert.strictEqual(yield* client.next, "relayed")
      })
    )
  }
})

describe("a gateway that refuses", () => {
  it.live("signature v3 gets v2, unseen by the browser", () =>
    Effect.gen(function* () {
      const { client, gateway, upstream } = yield* connecting
      yield* received(gateway)
      yield* gateway.send(refusal("INVALID_REQUEST", { code: "DEVICE_AUTH_SIGNATURE_INVALID" }))
      gateway.ws.close(1008, "device signature invalid")
      const second = yield* upstream.accept
      yield* second.send(challengeOf("nonce-2"))
      const sent = yield* received(second)
      assert.strictEqual(signatureVersion(sent), "v2")
      assert.strictEqual(sent.params.device?.nonce, "nonce-2")
      yield* second.send(HELLO)
      assert.deepStrictEqual(yield* client.nextJson, HELLO)
    })
  )

  const deviceRefusals = {
    "that is not approved": refusal("NOT_PAIRED", { code: "PAIRING_REQUIRED", reason: "not-paired" }),
    "that is pinned otherwise": refusal("NOT_PAIRED", { code: "PAIRING_REQUIRED", reason: "metadata-upgrade" }),
    "whose token was rotated": refusal("INVALID_REQUEST", { code: "AUTH_DEVICE_TOKEN_MISMATCH" })
  }
  for (const [name, answer] of Object.entries(deviceRefusals)) {
    it.live(`a device ${name} gets the token alone, once, unseen by the browser`, () =>
      Effect.gen(function* () {
        const { client, gateway, upstream } = yield* connecting
        yield* received(gateway)
        yield* gateway.send(answer)
        gateway.ws.close(1008, "refused")
        const second = yield* upstream.accept
        yield* second.send(challengeOf("nonce-2"))
        const sent = yield* received(second)
        assert.strictEqual(signatureVersion(sent), "none")
        assert.deepStrictEqual(sent.params.auth, { token: TOKEN })
        yield* second.send(refusal("NOT_PAIRED", { code: "DEVICE_IDENTITY_REQUIRED" }))
        second.ws.close(1008, "device identity required")
        assert.deepStrictEqual(yield* client.nextJson, refusal("NOT_PAIRED", { code: "DEVICE_IDENTITY_REQUIRED" }))
        assert.deepStrictEqual(yield* client.closed, { code: 1008, reason: "device identity required" })
      })
    )
  }

  it.live("a device is passed on to a browser that wants the device or nothing", () =>
    Effect.gen(function* () {
      const { port, upstream } = yield* trusted()
      const client = yield* openProxy(port, { path: "/ws?device=required" })
      const gateway = yield* upstream.accept
      yield* gateway.send(challengeOf("nonce-1"))
      yield* client.next
      yield* client.send(CONNECT)
      yield* received(gateway)
      const answer = refusal("NOT_PAIRED", { code: "PAIRING_REQUIRED", reason: "not-paired", requestId: "r-1" })
      yield* gateway.send(answer)
      gateway.ws.close(1008, "pairing required")
      assert.deepStrictEqual(yield* client.nextJson, answer)
      assert.deepStrictEqual(yield* client.closed, { code: 1008, reason: "pairing required" })
    })
  )

  it.live("a device by closing alone gets the token alone too", () =>
    Effect.gen(function* () {
      const { client, gateway, upstream } = yield* connecting
      yield* received(gateway)
      gateway.ws.close(1008, "unauthorized: device token mismatch")
      const second = yield* upstream.accept
      yield* second.send(challengeOf("nonce-2"))
      assert.strictEqual(signatureVersion(yield* received(second)), "none")
      yield* second.send(HELLO)
      assert.deepStrictEqual(yield* client.nextJson, HELLO)
    })
  )

  it.live("the token is passed on: answer, code and reason", () =>
    Effect.gen(function* () {
      const { client, gateway } = yield* connecting
      yield* received(gateway)
      const answer = refusal("INVALID_REQUEST", { code: "AUTH_TOKEN_MISMATCH" })
      yield* gateway.send(answer)
      gateway.ws.close(1008, "unauthorized: gateway token mismatch")
      assert.deepStrictEqual(yield* client.nextJson, answer)
      assert.deepStrictEqual(yield* client.closed, { code: 1008, reason: "unauthorized: gateway token mismatch" })
    })
  )

  it.live("because it is still starting is asked again, with the same proof", () =>
    Effect.gen(function* () {
      const { client, gateway, upstream } = yield* connecting
      yield* received(gateway)
      const starting = refusal("UNAVAILABLE", { reason: "startup-sidecars" }, { retryable: true, retryAfterMs: 50 })
      yield* gateway.send(starting)
      gateway.ws.close(1013, "gateway starting")
      const second = yield* upstream.accept
      second.ws.close(1013, "gateway starting")
      const third = yield* upstream.accept
      yield* third.send(challengeOf("nonce-3"))
      assert.strictEqual(signatureVersion(yield* received(third)), "v3")
      yield* third.send(HELLO)
      assert.deepStrictEqual(yield* client.nextJson, HELLO)
    })
  )
})

describe("the console's own link", () => {
  /** How often it was woken by a session that went this far. */
  const wakings = (answers: ReadonlyArray<object>) =>
    Effect.gen(function* () {
      let count = 0
      const wake = Effect.sync(() => {
        count++
      })
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl, gatewayToken: Redacted.make(TOKEN) }).pipe(
        Effect.provideService(LinkWake, { wake, woken: Effect.never, forget: Effect.void })
      )
      const client = yield* openProxy(port)
      yield* client.send(CONNECT)
      for (const answer of answers) {
        const gateway = yield* upstream.accept
        yield* gateway.send(challengeOf("nonce"))
        yield* received(gateway)
        yield* gateway.send(answer)
      }
      assert.deepInclude(yield* client.nextJson, { event: "connect.challenge" })
      assert.deepStrictEqual(yield* client.nextJson, answers.at(-1))
      return count
    })
  const unapproved = refusal("NOT_PAIRED", { code: "PAIRING_REQUIRED" })

  it.live("is woken once by a session that was let in, and by none without the device or that was refused", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* wakings([HELLO]), 1)
      assert.strictEqual(yield* wakings([unapproved, HELLO]), 0)
      assert.strictEqual(yield* wakings([refusal("INVALID_REQUEST", { code: "AUTH_TOKEN_MISMATCH" })]), 0)
    })
  )
})

describe("a bug while a session is being signed", () => {
  it.live("ends that session alone, both ends of it, and is reported in the log without a stack", () => {
    const told: Array<string> = []
    const log = Logger.make(({ message }) => void told.push(String(message)))
    return Effect.gen(function* () {
      const { identity, port, upstream } = yield* trusted()
      const other = yield* openProxy(port, { target: upstream.url })
      const healthy = yield* upstream.accept
      const broken = { completeConnect: () => assert.fail("no key") }
      const client = yield* openProxy(port, { target: upstream.url })
      const gateway = yield* upstream.accept
      const { completeConnect } = Object.assign({}, identity)
      Object.assign(identity, broken)
      yield* gateway.send(challengeOf("nonce-1"))
      yield* client.send(CONNECT)
      yield* client.closed
      yield* gateway.closed
      assert.deepStrictEqual(told, ["A relayed session failed: no key"])
      Object.assign(identity, { completeConnect })
      yield* healthy.send(challengeOf("nonce-2"))
      yield* other.send(CONNECT)
      assert.strictEqual(signatureVersion(yield* received(healthy)), "v3")
    }).pipe(Effect.provide(Logger.layer([log])))
  })
})
