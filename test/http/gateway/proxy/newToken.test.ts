import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { FoundToken, makeFoundToken } from "../../../../src/services/gateway/client/FoundToken.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, wsUpstream } from "../../../support/sockets.ts"
import { testSettings } from "../../../support/testSettings.ts"

const TOKEN = "the gateway token"
const CONNECT = {
  type: "req",
  id: "c-1",
  method: "connect",
  params: {
    minProtocol: 3,
    maxProtocol: 3,
    client: { id: "gateway-client", version: "1.0.0", platform: "MacIntel", deviceFamily: "Desktop", mode: "ui" },
    role: "operator",
    scopes: ["operator.read"],
    caps: ["tool-events"]
  }
}
const CHALLENGE = { type: "event", event: "connect.challenge", payload: { nonce: "nonce", ts: 1_795_171_309_457 } }
const HELLO = { type: "res", id: "c-1", ok: true, payload: { type: "hello-ok", protocol: 4, auth: { scopes: [] } } }
const MISMATCH = {
  type: "res",
  id: "c-1",
  ok: false,
  error: { code: "INVALID_REQUEST", message: "refused", details: { code: "AUTH_TOKEN_MISMATCH" } }
}
const tokenIn = Schema.decodeUnknownSync(
  Schema.Struct({ params: Schema.Struct({ auth: Schema.Struct({ token: Schema.String }) }) })
)

describe("a token that the gateway has changed", () => {
  /** A console that finds one of `found` each time it looks; the tokens that the gateway got. */
  const tokensTo = (found: ReadonlyArray<string>, answers: ReadonlyArray<object>) =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const settings = { gatewayUrl: upstream.httpUrl, gatewayToken: Redacted.make(TOKEN) }
      let looks = 0
      const source = yield* makeFoundToken(Effect.sync(() => Redacted.make(found[looks++] ?? TOKEN))).pipe(
        Effect.provideService(Settings, testSettings(settings))
      )
      const { port } = yield* serveProxy(settings).pipe(Effect.provideService(FoundToken, source))
      const client = yield* openProxy(port)
      yield* client.send(CONNECT)
      const tokens: Array<string> = []
      for (const answer of answers) {
        const gateway = yield* upstream.accept
        yield* gateway.send(CHALLENGE)
        tokens.push(tokenIn(yield* gateway.nextJson).params.auth.token)
        yield* gateway.send(answer)
      }
      assert.deepInclude(yield* client.nextJson, { event: "connect.challenge" })
      assert.deepStrictEqual(yield* client.nextJson, answers.at(-1))
      return tokens
    })

  it.live("is looked up, and the browser notices nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tokensTo(["new"], [MISMATCH, HELLO]), [TOKEN, "new"])
    })
  )

  it.live("is passed on as refused where there's no other", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tokensTo([], [MISMATCH]), [TOKEN])
      assert.deepStrictEqual(yield* tokensTo(["new", "new"], [MISMATCH, MISMATCH]), [TOKEN, "new"])
    })
  )
})
