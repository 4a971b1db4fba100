import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Schedule, Schema, Scope } from "effect"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { GATEWAY_VERSIONS } from "../../scripts/gateway/options.ts"
import { clientSaid } from "../support/clientSaid.ts"
import { newDevice, openLink } from "../support/gatewayLink.ts"
import { tcpProxy } from "../support/tcpProxy.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"

const KEY = "agent:main:several"
const Gateways = Schema.Struct({ gateways: Schema.Array(Schema.Struct({ id: Schema.String, state: Schema.String })) })
const Items = Schema.Struct({ items: Schema.Array(Schema.Struct({ state: Schema.String })) })
const Inbox = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String, gatewayId: Schema.String, title: Schema.String }))
})
const Cards = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({ id: Schema.String, status: Schema.String, gatewayId: Schema.optionalKey(Schema.String) })
  )
})
const Jobs = Schema.Struct({ result: Schema.Struct({ jobs: Schema.Array(Schema.Struct({ name: Schema.String })) }) })
const Usage = Schema.Struct({
  totalInput: Schema.Finite,
  entries: Schema.Array(Schema.Struct({ gatewayId: Schema.optionalKey(Schema.String), inputTokens: Schema.Finite }))
})
const Id = Schema.Struct({ id: Schema.String })

/** The console answers sixty such questions a minute. */
const patiently = <A, E, R>(ask: Effect.Effect<A, E, R>, isIt: (answer: A) => boolean) =>
  ask.pipe(Effect.repeat({ schedule: Schedule.spaced("1500 millis"), until: isIt }), Effect.timeout("150 seconds"))

const asksAlways = Effect.fnUntraced(function* ({ token, url }: { readonly token: string; readonly url: string }) {
  const link = yield* openLink(url.replace("http", "ws"))
  yield* link.connect({ token, device: newDevice(), caps: ["approvals"] })
  const { file, hash } = yield* link.call("exec.approvals.get")
  const defaults = { security: "allowlist", ask: "always" }
  yield* link.call("exec.approvals.set", { baseHash: hash, file: { ...Object(file), version: 1, defaults } })
})

const [newest, oldest] = GATEWAY_VERSIONS
const offered = inject("gateways")
const lacking = GATEWAY_VERSIONS.find((version) => offered.every((gateway) => gateway.version !== version))
const gone = offered.find(({ missing }) => missing !== undefined)

describeOn(gone ?? {}, lacking === undefined ? undefined : `GATEWAY_VERSION leaves out ${lacking}`)(
  "a console with both generations of the gateway and a practice one at once",
  () => {
    it.live(
      "talks, runs cards and jobs, decides and counts on each of them, and one that is killed is nobody else's trouble",
      () =>
        Effect.gen(function* () {
          const newer = yield* startGateway({ version: newest })
          const olderScope = yield* Scope.make()
          const older = yield* startGateway({ version: oldest }).pipe(Scope.provide(olderScope))
          const practice = yield* Effect.flatMap(Layer.build(practiceGateway({ tokenMs: 1, seed: false })), (context) =>
            Effect.provide(EmbeddedGateway, context)
          )
          yield* asksAlways(newer)
          yield* asksAlways(older)
          const captured = (url: string) => tcpProxy(Number(new URL(url).port))
          const taps = {
            primary: yield* captured(newer.url),
            older: yield* captured(older.url),
            practice: yield* captured(practice.url)
          }
          const urlOf = (id: keyof typeof taps) => `http://127.0.0.1:${taps[id].port}`
          const send = yield* consoleFor({ GATEWAY_URL: urlOf("primary"), GATEWAY_TOKEN: newer.token })
          const read = <A>(path: string, shape: Schema.Decoder<A>) =>
            Effect.flatMap(send("GET", path), ({ body }) => Schema.decodeUnknownEffect(shape)(body))
          const ids = ["primary", "older", "practice"] as const
          yield* send("POST", "/api/gateways", { id: "older", name: "Older", url: urlOf("older"), token: older.token })
          const token = Redacted.value(practice.token)
          yield* send("POST", "/api/gateways", { id: "practice", name: "Practice", url: urlOf("practice"), token })
          const states = Effect.map(read("/api/gateways", Gateways), ({ gateways }) =>
            gateways.map(({ state }) => state).join()
          )
          yield* patiently(states, (all) => all === "ok,ok,ok")

          const post = (gatewayId: string, text: string) =>
            send("POST", "/api/outbox", { id: randomUUID(), gatewayId, sessionKey: KEY, text, mode: "next" })
          const sent = patiently(read("/api/outbox", Items), ({ items }) => items.length === 0)
          for (const id of ids)
            for (const text of ["one", "two"]) assert.strictEqual((yield* post(id, text)).status, 201)
          yield* sent

          const made: Array<string> = []
          for (const gatewayId of ids) {
            const card = { title: `Card of ${gatewayId}`, status: "todo", gatewayId }
            const { body } = yield* send("POST", "/api/kanban/tasks", card)
            const { id } = yield* Schema.decodeUnknownEffect(Id)(body)
            made.push(id)
            assert.strictEqual((yield* send("POST", `/api/kanban/tasks/${id}/execute`, {})).status, 200)
          }
          const cards = read("/api/kanban/tasks", Cards)
          const { items } = yield* patiently(cards, (page) => page.items.every(({ status }) => status === "review"))
          assert.sameMembers(
            items.map(({ gatewayId = "primary" }) => gatewayId),
            [...ids]
          )

          for (const id of ids) {
            const job = {
              name: `Job of ${id}`,
              schedule: { kind: "every", everyMs: 3_600_000 },
              sessionTarget: "isolated",
              wakeMode: "now",
              payload: { kind: "agentTurn", message: "hello" }
            }
            assert.strictEqual((yield* send("POST", `/api/crons?gateway=${id}`, { job })).status, 200)
          }
          for (const id of ids) {
            const { result } = yield* read(`/api/crons?gateway=${id}`, Jobs)
            // A real gateway has jobs of its own besides.
            const made = result.jobs.map(({ name }) => name).filter((name) => name.startsWith("Job of"))
            assert.deepStrictEqual(made, [`Job of ${id}`])
          }

          const run = (file: string) => `Run it. [[mock:tool=exec ${JSON.stringify({ command: `touch ${file}` })}]]`
          yield* post("primary", run("of-primary"))
          yield* post("older", run("of-older"))
          yield* post("practice", "please approve")
          const waiting = yield* patiently(
            read("/api/inbox?state=open&kind=approval", Inbox),
            (page) => page.items.length === 3
          )
          for (const item of waiting.items) {
            if (item.gatewayId !== "practice") assert.include(item.title, `of-${item.gatewayId}`)
            assert.strictEqual((yield* send("POST", `/api/inbox/${item.id}/resolve`, { action: "deny" })).status, 200)
          }
          yield* sent

          const counted = (id: string, { entries }: typeof Usage.Type) =>
            entries.reduce((total, { gatewayId, inputTokens }) => total + (gatewayId === id ? inputTokens : 0), 0)
          const sum = yield* patiently(read("/api/tokens", Usage), (usage) => ids.every((id) => counted(id, usage) > 0))
          assert.strictEqual(
            sum.totalInput,
            ids.reduce((total, id) => total + counted(id, sum), 0)
          )
          for (const id of ids) {
            const own = yield* read(`/api/tokens?gateway=${id}`, Usage)
            assert.strictEqual(own.totalInput, counted(id, sum))
          }

          yield* Scope.close(olderScope, Exit.void)
          yield* patiently(states, (all) => all === "ok,unreachable,ok")
          yield* post("older", "for later")
          yield* post("primary", "three")
          yield* post("practice", "three")
          const left = yield* patiently(read("/api/outbox", Items), (page) => page.items.length === 1)
          assert.deepStrictEqual(left.items, [{ state: "waiting" }])

          const tokens = { primary: newer.token, older: older.token, practice: token }
          for (const id of ids) {
            const said = taps[id].received().map(clientSaid).join("\n")
            for (const other of ids) {
              if (other === id) assert.include(said, tokens[other], `${id} was sent its own token`)
              else assert.notInclude(said, tokens[other], `${id} was sent the token of ${other}`)
            }
          }
        }).pipe(Effect.scoped),
      { timeout: 400_000 }
    )
  }
)
