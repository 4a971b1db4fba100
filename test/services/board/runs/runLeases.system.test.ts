import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { gatewayName } from "../../../../src/services/board/store/BoardStore.ts"
import { boardOnServer } from "../../../support/boardStores.ts"
import { freePort } from "../../../support/freePort.ts"
import { hasPostgres, makePostgres, NEEDS_POSTGRES, type PostgresServer } from "../../../support/postgres.ts"
import { tcpProxy } from "../../../support/tcpProxy.ts"
import { boardWorldOn } from "../boardWorld.ts"
import { type FakeGateway, makeFakeGateway } from "../fakeGateway.ts"

it("a gateway has one name for all consoles", () => {
  assert.strictEqual(gatewayName("http://127.0.0.1:18789", "desk"), "desk:18789")
  assert.strictEqual(gatewayName("http://[::1]:18789", "desk"), "desk:18789")
  assert.strictEqual(gatewayName("https://agents.example.org", "desk"), "agents.example.org:443")
})

describe.skipIf(!hasPostgres)(`a run on a shared board (${NEEDS_POSTGRES})`, () => {
  let server: PostgresServer | undefined
  let count = 0
  beforeAll(async () => {
    server = await makePostgres(await freePort())
    await server.start()
  })
  afterAll(() => server?.remove())

  const psql = (database: string, statement: string) =>
    Effect.promise(async () => (await server?.psql(database, statement)) ?? "")

  const fresh = Effect.suspend(() => {
    count += 1
    return Effect.as(psql("postgres", `CREATE DATABASE runs_${count}`), `runs_${count}`)
  })

  const console = (name: string, gateway: FakeGateway, url: string, gatewayAddress = "here:18789") =>
    Effect.flatMap(boardOnServer(url, { device: name, owner: `${name}:1`, name, gateway: gatewayAddress }), (base) =>
      boardWorldOn(gateway, base)
    )

  const endLeases = (database: string) => psql(database, "UPDATE agent_console.task_runs SET lease_until = '-infinity'")

  it.effect("says which console carries it out, and starts once when two start it", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const url = server?.url(database) ?? ""
      const gateway = yield* makeFakeGateway
      const [a, b] = [yield* console("a", gateway, url), yield* console("b", gateway, url)]
      const { id } = yield* a.board.create({ title: "T" })
      const both = yield* Effect.all([a.runs.execute(id, {}), b.runs.execute(id, {})], { concurrency: 2 })
      yield* a.settle
      yield* b.settle
      assert.strictEqual(gateway.count("chat.send"), 1)
      assert.strictEqual(both[0].run?.runId, both[1].run?.runId)
      assert.include(["a", "b"], both[0].run?.console)
      assert.strictEqual(both[0].run?.gateway, "here:18789")
      yield* gateway.finish("Done.")
      const task = yield* a.until(id, ({ status }) => status === "review")
      assert.deepStrictEqual(yield* b.until(id, ({ status }) => status === "review"), task)
    })
  )

  it.effect("is carried on by another console on the same gateway; the first one comes back and writes nothing", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const proxy = yield* tcpProxy(server?.port ?? 0)
      const gateway = yield* makeFakeGateway
      const lost = yield* console("lost", gateway, server?.url(database, proxy.port) ?? "")
      const { id } = yield* lost.board.create({ title: "T" })
      yield* lost.runs.execute(id, {})
      yield* lost.settle
      proxy.become("silent")
      yield* endLeases(database)
      const heir = yield* console("heir", gateway, server?.url(database) ?? "")
      const taken = yield* heir.until(id, ({ run }) => run?.console === "heir")
      assert.strictEqual(taken.version, 3)
      assert.strictEqual(gateway.count("chat.send"), 1)

      // The first one's answer comes too late, whatever it says.
      yield* gateway.finish("Done.")
      const task = yield* heir.until(id, ({ status }) => status === "review")
      assert.strictEqual(task.run?.console, "heir")
      proxy.become("fair")
      proxy.cut()
      yield* lost.until(id, ({ status }) => status === "review").pipe(Effect.eventually)
      yield* lost.pass("30 seconds")
      yield* lost.settle
      assert.deepStrictEqual(yield* heir.board.get(id), task)
      assert.strictEqual(gateway.count("chat.abort"), 0)
      assert.strictEqual(yield* psql(database, "SELECT count(*) FROM agent_console.task_runs"), "0")
    })
  )

  it.effect("goes back to To do with the reason when no other console knows its session", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const url = server?.url(database) ?? ""
      const first = yield* makeFakeGateway
      const proxy = yield* tcpProxy(server?.port ?? 0)
      const lost = yield* console("lost", first, server?.url(database, proxy.port) ?? "")
      const { id } = yield* lost.board.create({ title: "T" })
      yield* lost.runs.execute(id, {})
      yield* lost.settle
      proxy.become("silent")
      yield* endLeases(database)
      const other = yield* makeFakeGateway
      const heir = yield* console("heir", other, url, "elsewhere:18789")
      const task = yield* heir.until(id, ({ status }) => status === "todo")
      assert.include(task.run?.error ?? "", "is gone")
      assert.strictEqual(other.count("chat.send"), 0)

      // Its own console comes back: the agent that still works there is stopped, and nothing is written.
      proxy.become("fair")
      proxy.cut()
      yield* lost.until(id, ({ status }) => status === "todo").pipe(Effect.eventually)
      for (let turn = 0; turn < 40 && first.count("chat.abort") === 0; turn += 1) yield* lost.pass("2 seconds")
      assert.strictEqual(first.count("chat.abort"), 1)
      assert.deepStrictEqual(yield* heir.board.get(id), task)
    })
  )

  it.effect("is handed over at once when its console is stopped in good order", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const url = server?.url(database) ?? ""
      const gateway = yield* makeFakeGateway
      const scope = yield* Scope.make()
      const leaving = yield* console("leaving", gateway, url).pipe(Scope.provide(scope))
      const { id } = yield* leaving.board.create({ title: "T" })
      yield* leaving.runs.execute(id, {})
      yield* leaving.settle
      yield* Scope.close(scope, Exit.void)
      const heir = yield* console("heir", gateway, url)
      yield* heir.until(id, ({ run }) => run?.console === "heir")
      assert.strictEqual(gateway.count("chat.send"), 1)
    })
  )
})
