import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer, Schedule, Schema } from "effect"
import { TestClock } from "effect/testing"
import { GatewayCli } from "../../../../src/services/gateway/client/GatewayCli.ts"
import { Settings, type SettingsShape } from "../../../../src/services/platform/settings/Settings.ts"
import { fakeCli } from "../../../support/fakeCli.ts"
import { testSettings } from "../../../support/testSettings.ts"

const Answer = Schema.Struct({ value: Schema.String })

const toolWith = (settings: Partial<SettingsShape>) =>
  Effect.map(
    Layer.build(
      GatewayCli.layer.pipe(Layer.provide(Settings.layerOf(testSettings(settings))), Layer.provide(NodeServices.layer))
    ),
    (context) => GatewayCli.pipe(Effect.provide(context))
  ).pipe(Effect.flatten)

const toolThat = Effect.fnUntraced(function* (body: string) {
  const { path, folder } = yield* fakeCli(body)
  return { tool: yield* toolWith({ gatewayCli: path, gatewayHome: "/home/of/gateway" }), folder }
})

/** Whether a process still runs; one that has ended and waits for its parent does not. */
const isAlive = Effect.fnUntraced(function* (pid: number) {
  const fs = yield* FileSystem.FileSystem
  const stat = yield* fs.readFileString(`/proc/${pid}/stat`).pipe(Effect.orElseSucceed(() => ") Z"))
  return !stat.includes(") Z")
})

describe("the gateway's command-line tool", () => {
  it.live("is read from stdout, from behind prose, and from stderr where stdout has nothing", () =>
    Effect.gen(function* () {
      for (const body of [
        `echo '{"value":"found"}'`,
        `echo 'a new version {2} is there'; printf '{\\n"value":"found"\\n}\\n'; echo done`,
        `echo warning >&2; echo '{"value":"found"}' >&2`
      ]) {
        const { tool } = yield* toolThat(body)
        assert.deepStrictEqual(yield* tool.json(["any"], Answer), { value: "found" })
      }
    })
  )

  it.live("gets its arguments unchanged, the gateway's home, and none of the console's secrets", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.env.GATEWAY_TOKEN = "secret"
        }),
        () =>
          Effect.sync(() => {
            delete process.env.GATEWAY_TOKEN
          })
      )
      const { tool, folder } = yield* toolThat(
        `printf '%s\n' "$@" "$OPENCLAW_STATE_DIR" "$OPENCLAW_CONFIG_PATH" "\${GATEWAY_TOKEN-none}" >"$here/seen"; echo '{"value":""}'`
      )
      const params = { id: "$(touch x); 'a' `b` ..\\" }
      yield* tool.call("cron.list", params, Answer)
      assert.deepStrictEqual((yield* fs.readFileString(`${folder}/seen`)).trim().split("\n"), [
        ...["gateway", "call", "cron.list", "--params", JSON.stringify(params), "--json"],
        ...["/home/of/gateway", "/home/of/gateway/openclaw.json", "none"]
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("that is missing, fails, or prints what nobody asked for has a sentence for each", () =>
    Effect.gen(function* () {
      const missing = yield* toolWith({ gatewayCli: "/nonexistent/openclaw" })
      const none = yield* Effect.flip(missing.json([], Answer))
      assert.strictEqual(none.reason, "not_found")
      assert.match(
        none.message,
        /Couldn't find the gateway's command-line tool: install it on this machine, or set GATEWAY_CLI/
      )
      const cases: ReadonlyArray<readonly [body: string, reason: string]> = [
        [`echo 'node is too old: /secret/path' >&2; exit 1`, "failed"],
        [`echo '{"value":"x"}'; exit 3`, "failed"],
        [`kill -9 $$`, "failed"],
        [`echo nothing`, "shape"],
        [`echo '{"value":1}'`, "shape"],
        [`echo '{"value":'`, "shape"],
        [`yes | head -c 9000000`, "shape"]
      ]
      for (const [body, reason] of cases) {
        const { tool } = yield* toolThat(body)
        const error = yield* Effect.flip(tool.json([], Answer))
        assert.strictEqual(error.reason, reason, body)
        assert.notInclude(error.message, "secret")
      }
    })
  )

  it.live("reports a refused call in the console's words, in either generation's output", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [body: string, code: string | undefined]> = [
        [
          `echo 'Gateway call failed: GatewayClientRequestError: Error: unknown cron job id: x' >&2; exit 1`,
          "CRON_JOB_NOT_FOUND"
        ],
        [
          `echo '{"ok":false,"error":{"code":"INVALID_REQUEST","message":"no","details":{"code":"CRON_JOB_NOT_FOUND"}}}'; exit 1`,
          "CRON_JOB_NOT_FOUND"
        ],
        [`echo 'Gateway call failed: Error: gateway closed (1006)' >&2; exit 1`, undefined],
        [`exit 1`, undefined]
      ]
      for (const [body, code] of cases) {
        const { tool } = yield* toolThat(body)
        const error = yield* Effect.flip(tool.call("cron.run", { id: "x" }, Answer))
        assert.strictEqual(error.code, code, body)
      }
    })
  )

  it.effect("that hangs is killed at its limit with everything it started", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { tool, folder } = yield* toolThat(
        `trap '' TERM\nsleep 300 &\necho $! >"$here/child"\necho $$ >"$here/part"\nmv "$here/part" "$here/pid"\nwhile :; do sleep 300; done`
      )
      const fiber = yield* Effect.forkChild(Effect.flip(tool.json([], Answer)))
      const pid = Number(
        yield* TestClock.withLive(
          fs.readFileString(`${folder}/pid`).pipe(Effect.retry({ schedule: Schedule.spaced("10 millis") }))
        )
      )
      const child = Number(yield* fs.readFileString(`${folder}/child`))
      assert.isTrue(yield* isAlive(pid))
      yield* TestClock.adjust("30 seconds")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason, "timeout")
      assert.match(error.message, /took too long and was stopped/)
      assert.isFalse(yield* isAlive(pid))
      assert.isFalse(yield* isAlive(child))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is not for a gateway on another machine", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* toolWith({ gatewayUrl: "http://127.0.0.1:18789" })).available)
      assert.isTrue((yield* toolWith({ gatewayUrl: "http://[::1]:18789" })).available)
      assert.isFalse((yield* toolWith({ gatewayUrl: "https://gateway.example.org" })).available)
    })
  )
})
