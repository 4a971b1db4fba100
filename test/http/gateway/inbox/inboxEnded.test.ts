import { assert, it } from "@effect/vitest"
import { Effect, PubSub, Schema } from "effect"
import type { InboxItem } from "../../../../src/contract/schema/inbox.ts"
import { makeGatewayApp } from "../../../support/gatewayApp.ts"

it.effect("an item can be read by its id, and says what it was answered with, except a secret", () =>
  Effect.gen(function* () {
    const { client, events, send } = yield* makeGatewayApp({ generation: "new" })
    const changes = yield* events.subscribe
    const change: Effect.Effect<InboxItem> = Effect.flatMap(PubSub.take(changes), (event) =>
      event.event === "inbox.changed" ? Effect.succeed(event.data.item) : change
    )
    const ask = (message: string) =>
      client.request("chat.send", { sessionKey: "agent:main:inbox", message, idempotencyKey: message }, Schema.Unknown)
    yield* ask("ask me something")
    const asked = yield* change
    assert.deepStrictEqual((yield* send("GET", `/api/inbox/${asked.id}`)).body, asked)
    const answers = { colour: { options: ["2"] } }
    yield* send("POST", `/api/inbox/${asked.id}/resolve`, { action: "answer", answers })
    const { body } = yield* send("GET", `/api/inbox/${asked.id}`)
    assert.deepInclude(body.resolution, { action: "answer", by: "console", answer: "Blue" })
    yield* change

    yield* ask("I have a secret for you")
    const secret = yield* change
    const [part] = secret.questions ?? []
    assert.deepInclude(part, { header: "API key", secret: true })
    assert.strictEqual(part?.store?.name, "WEATHER_KEY")
    yield* send("POST", `/api/inbox/${secret.id}/resolve`, {
      action: "answer",
      answers: { [part?.id ?? ""]: { text: "hunter2" } }
    })
    const all = yield* send("GET", "/api/inbox")
    assert.notInclude(JSON.stringify(all.body), "hunter2")
    assert.include(JSON.stringify(all.body), "a secret")
    assert.strictEqual((yield* send("GET", "/api/inbox/gone")).status, 404)
  })
)
