import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schedule, Schema } from "effect"
import { practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import type { InboxItem } from "../../../src/contract/schema/inbox.ts"
import type { OutboxItem } from "../../../src/contract/schema/outbox.ts"
import type { SearchPage } from "../../../src/contract/schema/search.ts"
import type { Task } from "../../../src/contract/schema/task.ts"
import type { UsageHistoryRow, UsageSummary } from "../../../src/contract/schema/usage.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const KEY = "agent:main:same"

const ChatSend = Schema.fromJsonString(
  Schema.Struct({ method: Schema.Literal("chat.send"), params: Schema.Struct({ message: Schema.String }) })
)
const decodeSend = Schema.decodeOption(ChatSend)

/** Not too often: the console answers so many requests a minute. */
const eventually = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
  Effect.repeat(ask, { schedule: Schedule.spaced("200 millis"), until: isIt })

/** The messages a gateway was sent. */
const saidTo = ({ control }: EmbeddedGateway["Service"]) =>
  Effect.map(control.frames, (frames) =>
    frames.flatMap(({ text }) => Option.toArray(decodeSend(text))).map(({ params }) => params.message)
  )

/** A console with a gateway of either generation beside its primary one, which isn't there. */
const makeWorld = Effect.gen(function* () {
  const svcHome = yield* temporaryFolder
  const app = yield* makeJsonApp({ settings: { svcHome } })
  const untilState = (id: string, state: string) =>
    eventually(app.send("GET", "/api/gateways"), ({ body }) =>
      body.gateways.some((one: { id: string; state: string }) => one.id === id && one.state === state)
    )
  const add = Effect.fnUntraced(function* (name: string, generation: "new" | "old") {
    const gateway = yield* Effect.flatMap(
      Layer.build(practiceGateway({ tokenMs: 5, seed: false, generation })),
      (context) => Effect.provide(EmbeddedGateway, context)
    )
    const token = Redacted.value(gateway.token)
    const { body } = yield* app.send("POST", "/api/gateways", { name, url: gateway.url, token })
    yield* untilState(body.id, "ok")
    return gateway
  })
  const post = (gatewayId: string, text: string, more: object = {}) =>
    app.send("POST", "/api/outbox", { id: randomUUID(), gatewayId, sessionKey: KEY, text, mode: "next", ...more })
  const items = (gatewayId: string): Effect.Effect<ReadonlyArray<OutboxItem>> =>
    Effect.map(
      app.send("GET", `/api/outbox?gateway=${gatewayId}&sessionKey=${KEY}`),
      ({ body }): ReadonlyArray<OutboxItem> => body.items
    )
  const open: Effect.Effect<ReadonlyArray<InboxItem>> = Effect.map(
    app.send("GET", "/api/inbox?state=open"),
    ({ body }): ReadonlyArray<InboxItem> => body.items
  )
  const card = (id: string) =>
    Effect.map(app.send("GET", "/api/kanban/tasks"), ({ body }): Task => body.items.find((one: Task) => one.id === id))
  const untilSaid = Effect.suspend(() =>
    eventually(Effect.all([items("home"), items("work")]), (all) => all.flat().length === 0)
  )
  return {
    ...app,
    untilSaid,
    post,
    card,
    items,
    open,
    untilState,
    home: yield* add("Home", "new"),
    work: yield* add("Work", "old")
  }
})

describe("several gateways", () => {
  it.live("get their own messages only, in order, also where both have a session of the same key", () =>
    Effect.gen(function* () {
      const { home, post, work } = yield* makeWorld
      for (const number of [1, 2, 3]) {
        assert.strictEqual((yield* post("home", `say home ${number}`)).status, 201)
        assert.strictEqual((yield* post("work", `say work ${number}`)).status, 201)
      }
      for (const [name, gateway] of [["home", home] as const, ["work", work] as const]) {
        const said = yield* eventually(saidTo(gateway), ({ length }) => length === 3)
        assert.deepStrictEqual(said, [`say ${name} 1`, `say ${name} 2`, `say ${name} 3`])
      }
      const stranger = yield* post("nobody", "say nothing")
      assert.strictEqual(stranger.status, 404)
      assert.strictEqual(stranger.body.error, "unknown_gateway")
    })
  )

  it.live("keep their messages apart: what waits for one that is away goes nowhere else, and goes once it's back", () =>
    Effect.gen(function* () {
      const { home, items, post, untilState, work } = yield* makeWorld
      yield* home.control.stop
      yield* untilState("home", "unreachable")
      yield* post("home", "say later")
      yield* post("work", "say now")
      yield* eventually(saidTo(work), ({ length }) => length === 1)
      assert.deepInclude((yield* items("home"))[0], { state: "waiting", gatewayId: "home", text: "say later" })
      yield* home.control.start
      yield* eventually(saidTo(home), ({ length }) => length === 1)
      yield* eventually(items("home"), ({ length }) => length === 0)
      assert.deepStrictEqual([yield* saidTo(home), yield* saidTo(work)], [["say later"], ["say now"]])
    })
  )

  it.live("ask for a person in one inbox, and each decision goes to the gateway that asked", () =>
    Effect.gen(function* () {
      const { open, post, send } = yield* makeWorld
      yield* post("home", "please approve")
      yield* post("work", "please approve")
      const both = yield* eventually(open, ({ length }) => length === 2)
      assert.deepStrictEqual(both.map(({ gatewayId }) => gatewayId).toSorted(), ["home", "work"])
      const ofWork = both.find(({ gatewayId }) => gatewayId === "work")?.id
      assert.strictEqual((yield* send("POST", `/api/inbox/${ofWork}/resolve`, { action: "deny" })).status, 200)
      const [left, ...more] = yield* eventually(open, ({ length }) => length === 1)
      assert.deepStrictEqual([left?.gatewayId, more.length], ["home", 0])
    })
  )

  it.live("a removed one gives its messages back, takes its questions along and leaves the other as it is", () =>
    Effect.gen(function* () {
      const { home, items, open, post, send, work } = yield* makeWorld
      yield* post("home", "please approve")
      yield* post("work", "please approve")
      yield* eventually(open, ({ length }) => length === 2)
      yield* post("home", "say never")
      yield* post("work", "say soon")
      assert.strictEqual((yield* send("DELETE", "/api/gateways/home")).status, 200)
      const failed = (yield* items("home")).find(({ text }) => text === "say never")
      assert.deepInclude(failed, {
        state: "failed",
        error: "Not sent because its gateway was removed from this console."
      })
      const [left, ...more] = yield* open
      assert.deepStrictEqual([left?.gatewayId, more.length], ["work", 0])
      yield* send("POST", `/api/inbox/${left?.id}/resolve`, { action: "deny" })
      yield* eventually(saidTo(work), (said) => said.includes("say soon"))
      assert.notInclude(yield* saidTo(home), "say never")

      // A gateway with the same id may be another one: requests start over, and it gets nothing meant for the old one.
      const token = Redacted.value(home.token)
      yield* send("POST", "/api/gateways", { id: "home", name: "Home", url: home.url, token })
      const [asked] = yield* eventually(open, (all) => all.some(({ gatewayId }) => gatewayId === "home"))
      yield* send("POST", `/api/inbox/${asked?.id}/resolve`, { action: "deny" })
      yield* post("home", "say again")
      yield* eventually(saidTo(home), (said) => said.includes("say again"))
      assert.notInclude(yield* saidTo(home), "say never")
    })
  )

  it.live("run cards, each on its own gateway; a removed gateway's card says so and goes back", () =>
    Effect.gen(function* () {
      const { card, home, open, send, work } = yield* makeWorld
      const made = (title: string, gatewayId: string) =>
        Effect.map(send("POST", "/api/kanban/tasks", { title, status: "todo", gatewayId }), ({ body }): Task => body)
      const short = yield* made("say done", "work")
      const long = yield* made("hang", "home")
      for (const { id } of [short, long])
        assert.strictEqual((yield* send("POST", `/api/kanban/tasks/${id}/execute`)).status, 200)
      yield* eventually(saidTo(home), ({ length }) => length === 1)
      const done = yield* eventually(card(short.id), ({ status }) => status === "review")
      assert.deepInclude(done, { gatewayId: "work" })
      assert.deepInclude(done.run, { gatewayId: "work", status: "done" })
      assert.strictEqual((yield* saidTo(work)).length, 1)

      yield* send("DELETE", "/api/gateways/home")
      const back = yield* eventually(card(long.id), ({ status }) => status === "todo")
      assert.deepInclude(back.run, { status: "error", error: "its gateway was removed from this console" })
      const failed = (yield* eventually(open, (all) => all.some(({ kind }) => kind === "failed"))).find(
        ({ kind }) => kind === "failed"
      )
      assert.strictEqual(failed?.sessionKey, `@home:${back.run?.sessionKey}`)
      const again = yield* send("POST", `/api/kanban/tasks/${long.id}/execute`)
      assert.deepStrictEqual([again.status, again.body.error], [404, "unknown_gateway"])
      const { body } = yield* send("PATCH", `/api/kanban/tasks/${long.id}`, {
        version: back.version,
        gatewayId: "primary"
      })
      assert.notProperty(body, "gatewayId")
    })
  )

  it.live("a run goes on over the new connection when its gateway's address changes", () =>
    Effect.gen(function* () {
      const { card, home, send, work } = yield* makeWorld
      const { body } = yield* send("POST", "/api/kanban/tasks", {
        title: "please approve",
        status: "todo",
        gatewayId: "home"
      })
      yield* send("POST", `/api/kanban/tasks/${body.id}/execute`)
      yield* eventually(saidTo(home), ({ length }) => length === 1)
      const url = home.url.replace("127.0.0.1", "localhost")
      const changed = yield* send("PATCH", "/api/gateways/home", { url, token: Redacted.value(home.token) })
      assert.deepInclude(changed.body, { url })
      const [asked] = yield* eventually(
        Effect.map(send("GET", "/api/inbox?state=open"), (answer) => answer.body.items),
        ({ length }) => length === 1
      )
      const decided = eventually(
        Effect.map(send("POST", `/api/inbox/${asked.id}/resolve`, { action: "deny" }), ({ status }) => status),
        (status) => status !== 502 && status !== 503
      )
      assert.strictEqual(yield* decided, 200)
      yield* eventually(card(body.id), ({ status }) => status === "review")
      assert.deepStrictEqual([(yield* saidTo(home)).length, (yield* saidTo(work)).length], [1, 0])
    })
  )

  it.live("cost together what each of them costs, and the usage of each can be seen alone", () =>
    Effect.gen(function* () {
      const { home, post, send, work } = yield* makeWorld
      yield* post("home", "say lighthouse")
      yield* post("work", "say lighthouse, with some more words")
      const answers = Effect.map(
        send("GET", "/api/search?q=lighthouse&kind=message&role=assistant"),
        ({ body }): SearchPage => body
      )
      yield* eventually(answers, ({ hits = [] }) => hits.length === 2)
      // It's counted once a minute, which may just have been; a gateway that was just added is counted at once.
      for (const [id, name, { token, url }] of [
        ["home", "Home", home],
        ["work", "Work", work]
      ] as const) {
        yield* send("DELETE", `/api/gateways/${id}`)
        yield* send("POST", "/api/gateways", { name, url, token: Redacted.value(token) })
      }
      const usage = (gateway: string) =>
        Effect.map(send("GET", `/api/tokens${gateway}`), ({ body }): UsageSummary => body)
      const ofHome = yield* eventually(usage("?gateway=home"), ({ totalInput }) => totalInput > 0)
      const ofWork = yield* eventually(usage("?gateway=work"), ({ totalInput }) => totalInput > 0)
      const all = yield* usage("")
      assert.strictEqual(all.totalInput, ofHome.totalInput + ofWork.totalInput)
      assert.strictEqual(all.totalOutput, ofHome.totalOutput + ofWork.totalOutput)
      assert.closeTo(all.totalCost, ofHome.totalCost + ofWork.totalCost, 1e-9)
      assert.sameMembers(
        all.entries.map(({ gatewayId = "" }) => gatewayId),
        ["home", "work"]
      )
      const { rows } = (yield* send("GET", "/api/tokens/history?group=day")).body
      assert.sameMembers(
        rows.map(({ gatewayId }: UsageHistoryRow) => gatewayId),
        ["home", "work"]
      )
      assert.strictEqual((yield* send("GET", "/api/tokens?gateway=nobody")).status, 404)
    })
  )

  it.live("are all searched, and one of them alone; what a removed one said is found no more", () =>
    Effect.gen(function* () {
      const { post, send, untilSaid } = yield* makeWorld
      yield* post("home", "say marmalade at home")
      yield* post("work", "say marmalade at work")
      yield* untilSaid
      const search = (more = "") =>
        Effect.map(send("GET", `/api/search?q=marmalade&kind=message&role=user${more}`), ({ body }): SearchPage => body)
      const gatewaysOf = ({ hits = [] }: SearchPage) => hits.map(({ gatewayId }) => gatewayId).toSorted()
      yield* eventually(search(), (page) => gatewaysOf(page).join() === "home,work")
      assert.deepStrictEqual(gatewaysOf(yield* search("&gateway=work")), ["work"])
      assert.deepStrictEqual(gatewaysOf(yield* search(`&session=@home:${KEY}`)), ["home"])
      yield* send("DELETE", "/api/gateways/home")
      yield* eventually(search(), (page) => gatewaysOf(page).join() === "work")
    })
  )
})
