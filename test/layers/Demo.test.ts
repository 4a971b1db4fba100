import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { demoVariables } from "../../src/layers/Config.ts"
import { DemoSettings } from "../../src/layers/Demo.ts"
import { decodeSettings } from "../../src/services/platform/settings/decodeSettings.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"

const settingsOf = (variables: Record<string, string>, homeDir: string) =>
  Result.getOrThrow(
    decodeSettings(demoVariables(variables), {
      homeDir,
      installDir: "/nonexistent/install",
      webRoot: "/nonexistent/web"
    })
  )

const temporaryHome = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-demo-"))),
  (home) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
)

it("a demonstration points at nothing of a real gateway", () => {
  const settings = settingsOf(
    {
      GATEWAY_URL: "http://192.0.2.7:18789",
      GATEWAY_TOKEN: "real",
      GATEWAY_HOME: "/home/person/.openclaw",
      MEMORY_PATH: "/home/person/.openclaw/workspace/MEMORY.md",
      SESSIONS_DIR: "/home/person/.openclaw/agents/main/sessions",
      WORKSPACE_ROOT: "/home/person/work",
      PORT: "4000"
    },
    "/home/person"
  )
  assert.strictEqual(settings.svcHome, "/home/person/.agent-console/demo")
  assert.strictEqual(settings.gatewayHome, "/home/person/.agent-console/demo/gateway")
  assert.strictEqual(settings.port, 4000)
  assert.isUndefined(settings.gatewayToken)
  assert.notInclude(JSON.stringify(settings), ".openclaw")
  assert.notInclude(JSON.stringify(settings), "192.0.2.7")
})

it("a demonstration sends nothing to where the settings say, unless that's on its own machine", () => {
  const elsewhere = settingsOf(
    {
      VENDOR_A_API_KEY: "a",
      STT_PROVIDER: "vendor_a",
      VENDOR_B_API_TOKEN: "b",
      VENDOR_B_BASE_URL: "http://192.0.2.7/v1",
      NOTIFY_URL: "https://example.com/hook",
      NOTIFY_SECRET: "c",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://192.0.2.7:4318"
    },
    "/home/person"
  )
  const { vendorAKey, vendorBToken, notifySink, notifySecret, otlpEndpoint, sttProvider } = elsewhere
  assert.deepStrictEqual(
    [vendorAKey, vendorBToken, notifySink, notifySecret, otlpEndpoint, sttProvider],
    [undefined, undefined, undefined, undefined, undefined, "local"]
  )
  const here = settingsOf(
    {
      VENDOR_A_API_KEY: "a",
      VENDOR_A_BASE_URL: "http://localhost:8000/v1",
      STT_PROVIDER: "vendor_a",
      NOTIFY_URL: "http://127.0.0.1:9/hook",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://[::1]:4318"
    },
    "/home/person"
  )
  assert.isDefined(here.vendorAKey)
  assert.isDefined(here.notifySink)
  assert.strictEqual(here.otlpEndpoint, "http://[::1]:4318")
  assert.strictEqual(here.sttProvider, "vendor_a")
})

it("a SVC_HOME that was chosen gets a folder for the demonstration of its own", () => {
  for (const home of ["/srv/console", "/srv/console/"]) {
    const settings = settingsOf({ SVC_HOME: home }, "/home/person")
    assert.strictEqual(settings.svcHome, "/srv/console/demo")
    assert.strictEqual(settings.gatewayHome, "/srv/console/demo/gateway")
  }
})

it.live("its settings name the embedded gateway, and its folder has documents that a second start leaves alone", () =>
  Effect.gen(function* () {
    const home = yield* temporaryHome
    const given = Settings.layerOf(settingsOf({ SVC_HOME: home }, home))
    const start = Effect.gen(function* () {
      const settings = yield* Settings
      const gateway = yield* EmbeddedGateway
      assert.strictEqual(settings.gatewayUrl, gateway.url)
      assert.strictEqual(
        settings.gatewayToken === undefined ? "" : Redacted.value(settings.gatewayToken),
        Redacted.value(gateway.token)
      )
      return settings
    }).pipe(Effect.provide(DemoSettings.pipe(Layer.provide(given), Layer.provideMerge(practiceGateway()))))
    const settings = yield* start
    assert.include(readFileSync(settings.memoryPath, "utf8"), "# Memory")
    assert.strictEqual(statSync(settings.memoryPath).mode & 0o777, 0o600)
    writeFileSync(settings.memoryPath, "mine")
    yield* start
    assert.strictEqual(readFileSync(settings.memoryPath, "utf8"), "mine")
  })
)
