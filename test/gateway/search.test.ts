import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Clock, Effect, Schedule, Schema } from "effect"
import { SearchPage } from "../../src/contract/schema/search.ts"
import { newDevice, openLink } from "../support/gatewayLink.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { temporaryDirectory } from "./support/temporaryDirectory.ts"

const decodePage = Schema.decodeUnknownEffect(SearchPage)
const Status = Schema.Struct({ gateway: Schema.String })

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`the search with gateway ${version}`, () => {
    it.live(
      "finds what was said before it began and what is said now within a second, once, and nothing of a deleted conversation",
      () =>
        Effect.gen(function* () {
          const gateway = yield* startGateway({ version })
          const link = yield* openLink(gateway.url.replace("http", "ws"))
          yield* link.connect({ token: gateway.token, device: newDevice() })
          const respond = Effect.fnUntraced(function* (sessionKey: string, message: string) {
            const idempotencyKey = randomUUID()
            yield* link.call("chat.send", { sessionKey, message, idempotencyKey })
            yield* link.waitFor(
              ({ event, payload }) => event === "chat" && payload?.runId === idempotencyKey && payload.state === "final"
            )
          })
          const earlier = `agent:main:${randomUUID()}`
          const later = `agent:main:${randomUUID()}`
          const command = JSON.stringify({ command: "echo kettledrum" })
          yield* respond(earlier, "Before it began. [[mock:text=The accordion was here, naturally]]")
          yield* respond(earlier, `Run it. [[mock:tool=exec ${command}]]`)

          const HOME = yield* temporaryDirectory
          const send = yield* consoleFor({
            HOME,
            GATEWAY_URL: gateway.url,
            GATEWAY_TOKEN: gateway.token,
            GATEWAY_HOME: gateway.gatewayHome
          })
          const search = (query: string) =>
            Effect.flatMap(send("GET", `/api/search?${query}`), ({ body }) => decodePage(body))
          /** The first page that is as wanted, and after how many milliseconds; asked no more often than is allowed. */
          const until = Effect.fnUntraced(function* (
            query: string,
            isIt: (page: SearchPage) => boolean,
            again: "2 seconds" | "100 millis" = "2 seconds"
          ) {
            const from = yield* Clock.currentTimeMillis
            const page = yield* search(query).pipe(
              Effect.repeat({ schedule: Schedule.spaced(again), until: isIt }),
              Effect.timeout("60 seconds")
            )
            return { page, ms: (yield* Clock.currentTimeMillis) - from }
          })
          yield* send("GET", "/health").pipe(
            Effect.flatMap(({ body }) => Schema.decodeUnknownEffect(Status)(body)),
            Effect.repeat({ schedule: Schedule.spaced("250 millis"), until: (status) => status.gateway === "ok" }),
            Effect.timeout("60 seconds")
          )

          const { page: before } = yield* until("q=accordion&role=assistant", ({ hits }) => hits.length > 0)
          assert.deepInclude(before.hits[0], { kind: "message", gatewayId: "primary", sessionKey: earlier })
          assert.isTrue(before.hits[0]?.snippet.some(({ text, hit }) => hit && text === "accordion"))
          const { page: output } = yield* until("q=kettledrum&role=tool", ({ hits }) => hits.length > 0)
          assert.lengthOf(output.hits, 1)
          const { page: typed } = yield* until("q=%22before+it+began%22&role=user", ({ hits }) => hits.length > 0)
          assert.isTrue(typed.hits[0]?.snippet[0]?.hit, "nothing stands in front of what was typed")

          yield* respond(later, "Now. [[mock:text=The bassoon is here]]")
          const { ms: found } = yield* until("q=bassoon&role=assistant", ({ hits }) => hits.length > 0, "100 millis")
          assert.isBelow(found, 1000)

          // The feed, the history and the files have the same messages.
          yield* send("POST", "/api/search/index/rebuild")
          yield* until("q=bassoon&role=assistant", ({ hits, state }) => hits.length > 0 && state === "ready")
          yield* respond(later, "Again. [[mock:text=The clarinet is here]]")
          yield* until("q=clarinet&role=assistant", ({ hits }) => hits.length > 0)
          for (const [word, role] of [
            ["accordion", "assistant"],
            ["kettledrum", "tool"],
            ["bassoon", "assistant"],
            ["clarinet", "assistant"]
          ]) {
            assert.lengthOf((yield* search(`q=${word}&role=${role}`)).hits, 1, word)
          }

          yield* link.call("sessions.delete", { key: later })
          const { ms: gone } = yield* until("q=bassoon", ({ hits }) => hits.length === 0, "100 millis")
          assert.isBelow(gone, 1000)
          assert.lengthOf((yield* search("q=clarinet")).hits, 0)
          assert.lengthOf((yield* search("q=accordion&role=assistant")).hits, 1)
        }).pipe(Effect.scoped)
    )
  })
}
