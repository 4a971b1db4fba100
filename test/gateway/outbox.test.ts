import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, Schedule, Schema, Scope } from "effect"
import { OutboxList } from "../../src/contract/schema/outbox.ts"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { generateDeviceKey } from "../../src/services/gateway/device/deviceKey.ts"
import { freePort } from "../support/freePort.ts"
import { clientLayer } from "../support/liveClient.ts"
import { writtenIn } from "../support/writtenIn.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { temporaryDirectory } from "./support/temporaryDirectory.ts"

const KEY = "agent:main:outbox"
const decodeList = Schema.decodeUnknownEffect(OutboxList)
const Status = Schema.Struct({ gateway: Schema.String })

const patiently = <A, E, R>(ask: Effect.Effect<A, E, R>, isIt: (answer: A) => boolean) =>
  ask.pipe(Effect.repeat({ schedule: Schedule.spaced("500 millis"), until: isIt }), Effect.timeout("90 seconds"))

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`the outbox with gateway ${version}`, () => {
    it.live("hands messages over in their order, once each, also those that came while there was no gateway", () =>
      Effect.gen(function* () {
        const options = {
          version,
          home: yield* temporaryDirectory,
          port: yield* Effect.promise(freePort),
          token: "outbox-token"
        }
        const HOME = yield* temporaryDirectory
        const first = yield* Scope.make()
        const gateway = yield* startGateway(options).pipe(Scope.provide(first))
        const send = yield* consoleFor({ HOME, GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const gatewayIs = (state: string) =>
          patiently(
            Effect.flatMap(send("GET", "/health"), ({ body }) => Schema.decodeUnknownEffect(Status)(body)).pipe(
              Effect.orElseSucceed(() => ({ gateway: "?" }))
            ),
            (status) => status.gateway === state
          )
        const post = (text: string, mode = "next") =>
          Effect.map(send("POST", "/api/outbox", { id: randomUUID(), sessionKey: KEY, text, mode }), ({ status }) =>
            assert.strictEqual(status, 201)
          )
        const list = Effect.flatMap(send("GET", `/api/outbox?sessionKey=${KEY}`), ({ body }) => decodeList(body))
        const sent = patiently(list, ({ items }) => items.length === 0)
        const other = yield* Layer.build(
          clientLayer({ url: gateway.url, token: gateway.token }, generateDeviceKey()).pipe(
            Layer.provide(Logger.layer([]))
          )
        )
        const written = writtenIn(Context.get(other, GatewayClient), KEY).pipe(
          Effect.retry(Schedule.spaced("250 millis")),
          Effect.timeout("30 seconds"),
          Effect.map((all) => all.map((text) => text.split(" [[")[0]))
        )

        yield* gatewayIs("ok")
        yield* post("one [[mock:chunks=10]] [[mock:delay=100]]")
        yield* post("two")
        yield* post("three")
        yield* sent
        assert.deepStrictEqual(yield* written, ["one", "two", "three"])

        yield* post("four [[mock:text=a b c]] [[mock:chunks=3]] [[mock:hang]]")
        yield* patiently(list, ({ items }) => items.every(({ state }) => state === "handed"))
        yield* post("six")
        yield* post("five", "interrupt")
        yield* sent
        assert.deepStrictEqual(yield* written, ["one", "two", "three", "four", "five", "six"])

        yield* Scope.close(first, Exit.void)
        yield* gatewayIs("unreachable")
        yield* post("seven")
        yield* post("eight")
        yield* startGateway(options)
        yield* gatewayIs("ok")
        yield* sent
        assert.deepStrictEqual((yield* written).slice(-2), ["seven", "eight"])
      }).pipe(Effect.scoped)
    )

    it.live("leaves a message with the agent while the console restarts in the first answer of a session", () =>
      Effect.gen(function* () {
        const sessionKey = `agent:main:first-${randomUUID()}`
        const HOME = yield* temporaryDirectory
        const variables = { HOME, GATEWAY_URL: offered.url, GATEWAY_TOKEN: offered.token }
        const list = (send: Effect.Success<ReturnType<typeof consoleFor>>) =>
          Effect.flatMap(send("GET", `/api/outbox?sessionKey=${sessionKey}`), ({ body }) => decodeList(body))
        const text = "look [[mock:repeat=60]] [[mock:chunks=60]] [[mock:delay=250]]"
        yield* Effect.scoped(
          Effect.gen(function* () {
            const send = yield* consoleFor(variables)
            yield* send("POST", "/api/outbox", { id: randomUUID(), sessionKey, text, mode: "next" })
            yield* patiently(list(send), ({ items }) => items.every(({ state }) => state === "handed"))
          })
        )
        const send = yield* consoleFor(variables)
        const left = yield* patiently(list(send), ({ items }) => items.every(({ state }) => state === "failed"))
        assert.deepStrictEqual(left.items, [])
      }).pipe(Effect.scoped)
    )
  })
}
