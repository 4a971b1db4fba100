import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { EarlyListeners, Listeners } from "../../../src/layers/Listeners.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { kindOf } from "../../support/targets/complaintAbout.ts"
import { oddTargets } from "../../support/targets/oddTargets.ts"
import { requestFor, type Way } from "../../support/targets/requestStyles.ts"
import { sendRaw } from "../../support/targets/sendRaw.ts"
import { Sweep } from "../../support/targets/sweep.ts"
import { testSettings } from "../../support/testSettings.ts"

const PATHS = ["/api/kanban/tasks", "/ws", "/mcp", "/health"]
const SENT: ReadonlyArray<Way> = [
  ["GET", "bare"],
  ["POST", "body"],
  ["GET", "upgrade"],
  ["POST", "expect"],
  ["GET", "both"],
  ["CONNECT", "bare"]
]

/** The open port of a console whose app never comes. */
const startingConsole = Effect.gen(function* () {
  const installDir = yield* temporaryFolder
  const settings = testSettings({ port: 0, sslPort: 0, installDir, authEnabled: true })
  const context = yield* Layer.build(EarlyListeners.pipe(Layer.provide(Settings.layerOf(settings))))
  return Context.get(context, Listeners).http.port
})

it.live(
  "a target that is neither a path nor this host's is refused from the moment the port opens, whatever comes with it",
  () =>
    Effect.gen(function* () {
      const port = yield* startingConsole
      const host = `127.0.0.1:${port}`
      const sweep = new Sweep({ port }, { host, index: "" })
      const odd = PATHS.flatMap((path) => oddTargets(path, host)).filter(
        ({ target }) => kindOf(target, host) === "neither"
      )
      const requests = odd.flatMap(({ target }) => SENT.map((way) => sweep.request(target, way)))
      yield* Effect.promise(() => sweep.send(requests))
      assert.strictEqual(sweep.complaints, "")
      console.info(`${odd.length} targets, ${sweep.sent} requests; ${sweep.statuses}`)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  120_000
)

it.live(
  "a path and the absolute form for this host wait for the app, and for OPTIONS the star does",
  () =>
    Effect.gen(function* () {
      const port = yield* startingConsole
      const host = `127.0.0.1:${port}`
      const waiting = PATHS.flatMap((path) =>
        [path, `http://${host}${path}`].flatMap((target) =>
          SENT.slice(0, 5).map((way) => requestFor(target, way, [`Host: ${host}`]))
        )
      )
      waiting.push(requestFor("*", ["OPTIONS", "bare"], [`Host: ${host}`]))
      const first = Promise.race(waiting.map(({ raw }) => sendRaw({ port }, [raw])))
      // The port answers others meanwhile.
      const refused = requestFor("*api", ["GET", "bare"], [`Host: ${host}`])
      const answers = sendRaw(
        { port },
        Array.from({ length: 200 }, () => refused.raw)
      ).then((all) => all.map(({ status }) => status))
      const early = yield* Effect.promise(() => Promise.race([first, answers]))
      assert.deepStrictEqual(
        early,
        Array.from({ length: 200 }, () => 400)
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  60_000
)
