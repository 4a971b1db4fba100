import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { freePort } from "../support/freePort.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"

const Gateways = Schema.Struct({ gateways: Schema.Array(Schema.Struct({ id: Schema.String, state: Schema.String })) })
const Files = Schema.Struct({ files: Schema.Array(Schema.Struct({ key: Schema.String, exists: Schema.Boolean })) })
const Content = Schema.Struct({ content: Schema.String, version: Schema.String })

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`what agents of gateway ${gateway.version} know, when it's an added one`, () => {
    it.live("is read and written by its own methods", () =>
      Effect.gen(function* () {
        const nowhere = `http://127.0.0.1:${yield* Effect.promise(() => freePort())}`
        const send = yield* consoleFor({ GATEWAY_URL: nowhere, GATEWAY_TOKEN: "nobody" })
        const read = <A>(path: string, shape: Schema.Decoder<A>) =>
          Effect.flatMap(send("GET", path), ({ body }) => Schema.decodeUnknownEffect(shape)(body))
        const status = (method: string, path: string, body: object) =>
          Effect.map(send(method, path, body), (answer) => answer.status)
        const { token, url } = gateway
        assert.strictEqual(yield* status("POST", "/api/gateways", { id: "far", name: "Far", url, token }), 201)
        yield* read("/api/gateways", Gateways).pipe(
          Effect.repeat({
            schedule: Schedule.spaced("1500 millis"),
            until: ({ gateways }) => gateways.some(({ id, state }) => id === "far" && state === "ok")
          }),
          Effect.timeout("60 seconds")
        )

        const { files } = yield* read("/api/workspace?gateway=far", Files)
        const keys = files.map(({ key }) => key)
        assert.includeMembers(keys, ["soul", "identity", "user", "agents"])
        const path = "/api/workspace/user?gateway=far"
        const text = yield* send("GET", path)
        const before = text.status === 404 ? { content: "", version: null } : yield* read(path, Content)
        const content = `${before.content}\nLikes short answers.\n`
        assert.strictEqual(yield* status("PUT", path, { content, version: before.version }), 200)
        assert.strictEqual(yield* status("PUT", path, { content: "late", version: before.version }), 409)
        assert.strictEqual((yield* read(path, Content)).content, content)

        const add = { text: "far away", section: "Places" }
        assert.strictEqual(yield* status("POST", "/api/memories?gateway=far", add), 200)
        const section = yield* read("/api/memories/section?gateway=far&title=Places", Content)
        assert.include(section.content, "far away")
        assert.strictEqual(yield* status("DELETE", "/api/memories?gateway=far", { query: "far away" }), 200)
        assert.strictEqual(yield* status("PUT", path, { content: before.content }), 200)
      }).pipe(Effect.scoped)
    )
  })
}
