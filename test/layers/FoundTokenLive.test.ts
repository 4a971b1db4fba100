import { writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { FoundTokenLive } from "../../src/layers/FoundTokenLive.ts"
import { FoundToken } from "../../src/services/gateway/client/FoundToken.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { temporaryFolder } from "../support/fileServices.ts"
import { testSettings } from "../support/testSettings.ts"

const OLD = Redacted.make("old")

/** A console started in a folder whose `.env` names a gateway's folder. */
const start = Effect.fnUntraced(function* (isDemo = false) {
  const installDir = yield* temporaryFolder
  const write = (gateway: object) => writeFileSync(`${installDir}/openclaw.json`, JSON.stringify({ gateway }))
  writeFileSync(`${installDir}/.env`, `GATEWAY_HOME=${installDir}\nGATEWAY_TOKEN=\nALT_GATEWAY_TOKEN=\n`)
  const settings = testSettings({ installDir, gatewayUrl: "http://127.0.0.1:18789", gatewayToken: OLD, isDemo })
  const context = yield* Layer.build(
    FoundTokenLive.pipe(Layer.provide(Settings.layerOf(settings)), Layer.provide(NodeServices.layer))
  )
  const { latest, readAgain } = Context.get(context, FoundToken)
  const found = Effect.map(readAgain(OLD), () => Redacted.value(latest() ?? Redacted.make("")))
  return { installDir, write, found }
})

describe("the token that is looked up again", () => {
  it.live("is the one in the gateway's own file, or in the settings", () =>
    Effect.gen(function* () {
      const { found, installDir, write } = yield* start()
      assert.strictEqual(yield* found, "")
      write({ auth: { token: "old" } })
      assert.strictEqual(yield* found, "")
      write({ auth: { token: "new" } })
      assert.strictEqual(yield* found, "new")
      const again = yield* start()
      writeFileSync(`${again.installDir}/.env`, "GATEWAY_TOKEN=typed")
      assert.strictEqual(yield* again.found, "typed")
      assert.notStrictEqual(again.installDir, installDir)
    })
  )

  it.live("isn't one of another address, of a file that can't be read, or of the demo", () =>
    Effect.gen(function* () {
      const { found, installDir, write } = yield* start()
      write({ port: 19_999, auth: { token: "new" } })
      assert.strictEqual(yield* found, "")
      writeFileSync(`${installDir}/openclaw.json`, "{")
      assert.strictEqual(yield* found, "")
      writeFileSync(`${installDir}/.env`, "PORT=nowhere")
      assert.strictEqual(yield* found, "")
      const demo = yield* start(true)
      demo.write({ auth: { token: "new" } })
      assert.strictEqual(yield* demo.found, "")
    })
  )
})
