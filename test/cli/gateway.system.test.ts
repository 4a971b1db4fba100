import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { gatewayState, gatewayTable } from "../../src/cli/gateway.ts"
import type { GatewayEntry } from "../../src/contract/schema/gateway.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const gatewayWith = (options: PracticeGatewayOptions) =>
  Effect.flatMap(Layer.build(practiceGateway({ tokenMs: 0, seed: false, ...options })), (context) =>
    Effect.provide(EmbeddedGateway, context)
  )

const start = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const variables = {
    GATEWAY_TOKEN: "token",
    GATEWAY_URL: "http://127.0.0.1:1",
    GATEWAY_HOME: join(directory, "gateway"),
    SVC_HOME: join(directory, "home"),
    PORT: "0"
  }
  const gateway = (args: ReadonlyArray<string>, stdin = "") =>
    runConsole({ directory, args: ["gateway", ...args], variables, input: stdin })
  return { directory, gateway, variables }
})

const entry: GatewayEntry = {
  id: "home",
  name: "Home",
  url: "http://home:1",
  primary: false,
  local: false,
  state: "ok",
  since: 0,
  device: "approved"
}

describe("agent-console gateway", () => {
  it.live("adds, lists and removes gateways of the running console, also while sign-in is on", () =>
    Effect.gen(function* () {
      const { directory, gateway, variables } = yield* start
      const older = yield* gatewayWith({ generation: "old" })
      const strict = yield* gatewayWith({ generation: "new", deviceApproval: "manual" })
      const running = yield* startConsole({
        directory,
        variables: { ...variables, SVC_AUTH: "true", LOG_LEVEL: "info" }
      })
      yield* consoleAddress(running)
      const added = yield* gateway(["add", older.url, "--name", "At work"], `${Redacted.value(older.token)}\n`)
      assert.deepStrictEqual([added.code, added.stderr], [exitCodes.ok, ""])
      assert.match(added.stdout, /^Added at-work: connected \(version [^)]+\)\.\n$/)

      const wrong = yield* gateway(["add", "http://127.0.0.1:9", "--name", "Nobody"], "t")
      assert.strictEqual(wrong.code, exitCodes.gateway)
      assert.match(wrong.stderr, /^agent-console: No gateway is listening at http:\/\/127\.0\.0\.1:9: start it/)
      const waiting = yield* gateway(["add", strict.url, "--id", "strict"], Redacted.value(strict.token))
      assert.strictEqual(waiting.code, exitCodes.gateway)
      assert.match(waiting.stderr, /run `openclaw devices approve \S+` on the gateway host/)

      const listed = yield* gateway(["list"])
      assert.match(listed.stdout, /^primary .*\n {4}.*\nat-work +At work +http:\/\/127.* connected/m)
      const json = JSON.parse((yield* gateway(["list", "--json"])).stdout)
      assert.deepStrictEqual(
        json.gateways.map(({ id }: { readonly id: string }) => id),
        ["primary", "at-work", "nobody", "strict"]
      )
      assert.deepInclude(yield* gateway(["remove", "nobody"]), { code: exitCodes.ok, stdout: "Removed nobody.\n" })
      const again = yield* gateway(["remove", "nobody"])
      assert.strictEqual(again.code, exitCodes.gateway)
      assert.match(again.stderr, /there's no such gateway/)
      assert.strictEqual((yield* gateway(["remove", "primary"])).code, exitCodes.gateway)
      assert.strictEqual((yield* gateway(["add", "ftp://host"], "t")).code, exitCodes.usage)

      for (const { token } of [older, strict]) {
        for (const said of [running.stdout(), added.stdout, listed.stdout, JSON.stringify(json)]) {
          assert.notInclude(said, Redacted.value(token))
        }
      }
      assert.include(readFileSync(join(directory, "home", "gateways.json"), "utf8"), Redacted.value(older.token))
    })
  )

  it.live("without a running console says so", () =>
    Effect.gen(function* () {
      const { gateway } = yield* start
      const alone = yield* gateway(["list"])
      assert.strictEqual(alone.code, exitCodes.noConsole)
      assert.match(alone.stderr, /^agent-console: no console is running/)
    })
  )
})

it("a gateway's state is a few words, with what's wrong below the line", () => {
  assert.strictEqual(gatewayState({ ...entry, version: "2026.9.6" }), "connected (version 2026.9.6)")
  assert.strictEqual(gatewayState({ ...entry, device: "pending" }), "connected, but its device waits for approval")
  assert.strictEqual(gatewayState({ ...entry, state: "unreachable" }), "not reachable")
  const table = gatewayTable([entry, { ...entry, id: "workshop", state: "refused", reason: "Wrong token." }])
  assert.strictEqual(
    table,
    "home      Home  http://home:1  connected\nworkshop  Home  http://home:1  refused\n    Wrong token."
  )
})
