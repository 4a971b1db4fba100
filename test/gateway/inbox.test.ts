import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { InboxItem } from "../../src/contract/schema/inbox.ts"
import { type Link, newDevice, openLink } from "../support/gatewayLink.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { temporaryDirectory } from "./support/temporaryDirectory.ts"

const Page = Schema.Struct({ items: Schema.Array(InboxItem), total: Schema.Int, open: Schema.Int })
const decodePage = Schema.decodeUnknownEffect(Page)
const decodeItem = Schema.decodeUnknownEffect(InboxItem)
const Refused = Schema.Struct({ error: Schema.String, item: InboxItem })
const Proposals = Schema.Struct({ proposals: Schema.Array(Schema.Unknown) })
const Status = Schema.Struct({ gateway: Schema.String })

const askAlways = Effect.fnUntraced(function* (link: Link) {
  const { file, hash } = yield* link.call("exec.approvals.get")
  const defaults = { security: "allowlist", ask: "always" }
  yield* link.call("exec.approvals.set", { baseHash: hash, file: { ...Object(file), version: 1, defaults } })
})

const runCommand = (name: string) => `Run it. [[mock:tool=exec ${JSON.stringify({ command: `touch ${name}` })}]]`

const askPerson = `Ask. [[mock:tool=ask_user ${JSON.stringify({
  questions: [
    { id: "colour", header: "Colour", question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] },
    {
      id: "extras",
      header: "Extras",
      question: "What else?",
      options: [{ label: "Lamp" }, { label: "Bench" }],
      multiSelect: true
    }
  ],
  timeoutSeconds: 120
})}]]`

/** The console answers sixty such questions a minute. */
const patiently = <A, E, R>(ask: Effect.Effect<A, E, R>, isIt: (answer: A) => boolean) =>
  ask.pipe(Effect.repeat({ schedule: Schedule.spaced("1500 millis"), until: isIt }), Effect.timeout("60 seconds"))

for (const offered of inject("gateways")) {
  const { version } = offered
  const isOld = version.startsWith("2026.3")

  describeOn(offered)(`the inbox with gateway ${version}`, () => {
    const world = Effect.gen(function* () {
      const gateway = yield* startGateway({ version })
      const link = yield* openLink(gateway.url.replace("http", "ws"))
      yield* link.connect({ token: gateway.token, device: newDevice(), caps: ["approvals"] })
      const HOME = yield* temporaryDirectory
      const start = Effect.gen(function* () {
        const send = yield* consoleFor({ HOME, GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const status = Effect.flatMap(send("GET", "/health"), ({ body }) => Schema.decodeUnknownEffect(Status)(body))
        yield* patiently(
          Effect.orElseSucceed(status, () => ({ gateway: "?" })),
          (one) => one.gateway === "ok"
        )
        const list = (query = "") => Effect.flatMap(send("GET", `/api/inbox${query}`), ({ body }) => decodePage(body))
        const opened = (kind: string) =>
          Effect.map(
            patiently(list(`?state=open&kind=${kind}`), ({ total }) => total > 0),
            ({ items }) => items
          )
        const resolve = (id: string, body: object) => send("POST", `/api/inbox/${id}/resolve`, body)
        /** Two people decide at the same time. */
        const race = (id: string, one: object, other: object) =>
          Effect.map(Effect.all([resolve(id, one), resolve(id, other)], { concurrency: "unbounded" }), (answers) =>
            answers.toSorted((a, b) => a.status - b.status)
          )
        const ended = (id: string) =>
          Effect.map(
            patiently(list(), ({ items }) => items.some((item) => item.id === id && item.state !== "open")),
            ({ items }) => items.find((item) => item.id === id)
          )
        return { send, list, opened, race, ended, resolve }
      })
      const say = (message: string) =>
        link.call("chat.send", { sessionKey: `agent:main:${randomUUID()}`, message, idempotencyKey: randomUUID() })
      const told = (event: string) =>
        Effect.map(
          link.waitFor((frame) => frame.event === event),
          ({ payload }) => payload
        )
      return { gateway, link, start, say, told }
    })

    it.live("has a command until one of two people decides, or somebody else does", () =>
      Effect.gen(function* () {
        const { link, say, start, told } = yield* world
        yield* askAlways(link)
        const { ended, opened, race, resolve } = yield* start
        yield* say(runCommand("first.txt"))
        const [first] = yield* opened("approval")
        assert.deepInclude(first, { kind: "approval", title: "touch first.txt", state: "open" })
        assert.isAbove(first?.expiresAt ?? 0, first?.createdAt ?? 0)
        const [won, lost] = yield* race(first?.id ?? "", { action: "allow-once" }, { action: "deny" })
        assert.deepStrictEqual([won?.status, lost?.status], [200, 409])
        const item = yield* decodeItem(won?.body)
        assert.strictEqual(item.resolution?.by, "console")
        assert.deepStrictEqual((yield* Schema.decodeUnknownEffect(Refused)(lost?.body)).item, item)
        const heard = yield* told("exec.approval.resolved")
        assert.strictEqual(heard?.decision, item.resolution?.action)

        yield* say(runCommand("second.txt"))
        const [second] = yield* opened("approval")
        const asked = link.frames.findLast(({ event }) => event === "exec.approval.requested")
        yield* link.call("exec.approval.resolve", { id: asked?.payload?.id, decision: "deny" })
        assert.deepInclude((yield* ended(second?.id ?? ""))?.resolution, { action: "deny", by: "elsewhere" })
        assert.strictEqual((yield* resolve(second?.id ?? "", { action: "allow-once" })).status, 409)
      }).pipe(Effect.scoped)
    )

    it.live(
      isOld
        ? "doesn't know of a command that was asked for while the console was down: this gateway has no list"
        : "has a command that was asked for while the console was down",
      () =>
        Effect.gen(function* () {
          const { link, say, start, told } = yield* world
          yield* askAlways(link)
          yield* say(runCommand("before.txt"))
          yield* told("exec.approval.requested")
          const { list, opened, resolve } = yield* start
          if (isOld) {
            // A command asked for now is heard of, the one before never.
            yield* say(runCommand("after.txt"))
            const [item] = yield* opened("approval")
            assert.deepInclude(item, { title: "touch after.txt" })
            assert.strictEqual((yield* list("?kind=question")).total, 0)
            return
          }
          const [item] = yield* opened("approval")
          assert.deepInclude(item, { title: "touch before.txt" })
          const done = yield* resolve(item?.id ?? "", { action: "deny" })
          assert.strictEqual(done.status, 200)
        }).pipe(Effect.scoped)
    )

    it.live("makes proposals of the markers in responses that ended while the console was down, once", () =>
      Effect.gen(function* () {
        const { link, start } = yield* world
        const marker = (title: string) => `[kanban:create]${JSON.stringify({ title })}[/kanban:create]`
        const sessionKey = `agent:main:${randomUUID()}`
        const respond = Effect.fnUntraced(function* (title: string) {
          const idempotencyKey = randomUUID()
          yield* link.call("chat.send", { sessionKey, message: marker(title), idempotencyKey })
          yield* link.waitFor(
            ({ event, payload }) => event === "chat" && payload?.runId === idempotencyKey && payload.state === "final"
          )
        })
        const titles = Effect.fnUntraced(function* (count: number) {
          const { send } = yield* start
          const all = Effect.flatMap(send("GET", "/api/kanban/proposals"), ({ body }) =>
            Schema.decodeUnknownEffect(Proposals)(body)
          )
          return { all, until: patiently(all, ({ proposals }) => proposals.length >= count) }
        })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { until } = yield* titles(1)
            yield* respond("Heard")
            yield* until
          })
        )
        yield* respond("Missed")
        const { all, until } = yield* titles(2)
        yield* until
        yield* respond("Heard again")
        yield* patiently(all, ({ proposals }) => proposals.length >= 3)
        assert.lengthOf((yield* all).proposals, 3)
      }).pipe(Effect.scoped)
    )

    if (!isOld)
      it.live("has a question until one of two people answers, or somebody else does", () =>
        Effect.gen(function* () {
          const { link, say, start, told } = yield* world
          const { ended, opened, race } = yield* start
          yield* say(askPerson)
          const [first] = yield* opened("question")
          assert.deepInclude(first, { kind: "question", title: "Which colour?" })
          const [colour, extras] = first?.questions ?? []
          assert.deepStrictEqual(
            [colour?.options?.map(({ label }) => label), colour?.multiple, extras?.multiple],
            [["Red", "Blue"], false, true]
          )
          const answers = { [colour?.id ?? ""]: { options: ["2"] }, [extras?.id ?? ""]: { options: ["1", "2"] } }
          const answer = { action: "answer", answers }
          const [won, lost] = yield* race(first?.id ?? "", answer, answer)
          assert.deepStrictEqual([won?.status, lost?.status], [200, 409])
          assert.deepInclude((yield* decodeItem(won?.body)).resolution, { action: "answer", by: "console" })
          const heard = yield* told("question.resolved")
          assert.strictEqual(heard?.status, "answered")
          assert.include(JSON.stringify(heard?.answers), "Blue")

          yield* say(askPerson)
          const [second] = yield* opened("question")
          const asked = link.frames.findLast(({ event }) => event === "question.requested")
          yield* link.call("question.resolve", { id: asked?.payload?.id, cancel: true })
          assert.deepInclude((yield* ended(second?.id ?? ""))?.resolution, { action: "skip", by: "elsewhere" })
        }).pipe(Effect.scoped)
      )
  })
}
