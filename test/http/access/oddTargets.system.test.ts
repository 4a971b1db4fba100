import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { guardedConsole, signIn } from "../../support/targets/guardedConsole.ts"
import { oddTargets } from "../../support/targets/oddTargets.ts"
import { requestFor, WAYS } from "../../support/targets/requestStyles.ts"
import { sendRaw } from "../../support/targets/sendRaw.ts"
import { Sweep, wayFor } from "../../support/targets/sweep.ts"

/** Forms that went past the sign-in once are sent in every way. */
const oncePast = (path: string) => [
  path,
  path.slice(1),
  `*${path.slice(1)}`,
  `*${path}`,
  `http://%${path}`,
  `x:${path}`
]

it.live(
  "no target in any form brings somebody who isn't signed in past the door of any route",
  () =>
    Effect.gen(function* () {
      const { port, door, paths, disk, gatewayRequests } = yield* guardedConsole
      assert.includeMembers(paths, ["/ws", "/mcp", "/metrics", "/health", "/api/kanban/tasks", "/api/files/write"])
      assert.isAbove(paths.length, 90)
      const before = yield* disk
      const sweep = new Sweep({ port }, door)
      let targets = 0
      for (const [route, path] of paths.entries()) {
        const forms = oddTargets(path, door.host)
        targets += forms.length
        const requests = [
          ...forms.map(({ target }, index) => sweep.request(target, wayFor(index, route))),
          ...oncePast(path).flatMap((target) => WAYS.map((way) => sweep.request(target, way)))
        ]
        yield* Effect.promise(() => sweep.send(requests))
      }
      console.info(
        `${Math.round(targets / paths.length)} targets × ${paths.length} routes, ${sweep.sent} requests; ${sweep.statuses}`
      )
      assert.strictEqual(sweep.complaints, "")
      assert.deepStrictEqual(yield* gatewayRequests, [])
      assert.deepStrictEqual(yield* disk, before)
    }).pipe(
      Effect.scoped,
      Effect.provide(NodeServices.layer),
      Effect.provideService(References.MinimumLogLevel, "None")
    ),
  300_000
)

it.live("open routes respond without a session, and a session opens the others, by path and by absolute form", () =>
  Effect.gen(function* () {
    const { port, door } = yield* guardedConsole
    const host = `Host: ${door.host}`
    const cookie = `Cookie: ${yield* signIn(`http://${door.host}`)}`
    const statuses = (path: string, headers: ReadonlyArray<string>) =>
      Effect.promise(async () => {
        const targets = [path, `http://${door.host}${path}`, `HTTP://${door.host}${path}`]
        const answers = await sendRaw(
          { port },
          targets.map((target) => requestFor(target, ["GET", "bare"], headers).raw)
        )
        return answers.map(({ status }) => status)
      })
    for (const path of ["/health", "/api/version", "/api/auth/status"]) {
      assert.deepStrictEqual(yield* statuses(path, [host]), [200, 200, 200], path)
    }
    for (const path of ["/api/kanban/tasks", "/api/server-info", "/api/openapi.json"]) {
      assert.deepStrictEqual(yield* statuses(path, [host]), [401, 401, 401], path)
      assert.deepStrictEqual(yield* statuses(path, [host, cookie]), [200, 200, 200], path)
    }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer), Effect.provideService(References.MinimumLogLevel, "None"))
)

it.live("a refused upgrade says that its connection ends, so that no proxy sends somebody else's request on it", () =>
  Effect.gen(function* () {
    const { port, door } = yield* guardedConsole
    const requests = ["/ws", "/api/kanban/tasks", "/mcp", "/health"].map(
      (path) => requestFor(path, ["GET", "upgrade"], [`Host: ${door.host}`]).raw
    )
    for (const { head } of yield* Effect.promise(() => sendRaw({ port }, requests))) {
      assert.match(head, /\r\nconnection: close(?:\r\n|$)/i)
      assert.notMatch(head, /keep-alive/i)
    }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer), Effect.provideService(References.MinimumLogLevel, "None"))
)
