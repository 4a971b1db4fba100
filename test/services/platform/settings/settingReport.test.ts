import { assert, it } from "@effect/vitest"
import { settingIssues } from "../../../../src/services/platform/settings/decodeSettings.ts"
import { givenSettings, secretOfFile } from "../../../../src/services/platform/settings/settingReport.ts"

const SECRET = "hunter2"

it("no secret is given, whatever its setting", () => {
  const environment = Object.fromEntries(
    [
      "GATEWAY_TOKEN",
      "ALT_GATEWAY_TOKEN",
      "VENDOR_A_API_KEY",
      "VENDOR_B_API_TOKEN",
      "SVC_PASSWORD_HASH",
      "SVC_SESSION_SECRET",
      "BOARD_URL",
      "NOTIFY_URL",
      "NOTIFY_SECRET"
    ].map((name) => [name, SECRET])
  )
  const given = givenSettings({ environment, dotEnv: `OTEL_EXPORTER_OTLP_ENDPOINT=https://me:${SECRET}@otel.test/v1` })
  assert.strictEqual(given.length, 10)
  assert.notInclude(JSON.stringify(given), SECRET)
  assert.notInclude(JSON.stringify(settingIssues(environment)), SECRET)
})

it("the place is that of the value that counts: the environment, or the last line", () => {
  const dotEnv = "PORT=1\nexport HOST=a\nPORT=2\nSSL_PORT=3\n"
  const given = givenSettings({ environment: { SSL_PORT: "4", HOST: "" }, dotEnv })
  assert.deepStrictEqual(
    given.map(({ name, value, source, line }) => [name, value, source, line]),
    [
      ["PORT", "2", ".env", 3],
      ["SSL_PORT", "4", "environment", undefined],
      ["HOST", "a", ".env", 2]
    ]
  )
})

it("a file's setting names its secret", () => {
  assert.strictEqual(secretOfFile("BOARD_URL_FILE"), "BOARD_URL")
  assert.isUndefined(secretOfFile("USAGE_FILE"))
})

it("all wrong values are named", () => {
  assert.deepStrictEqual(
    settingIssues({ HSTS: "on", PORT: "x", SVC_AUTH: "true" })
      .map(({ name }) => name)
      .sort(),
    ["HSTS", "PORT"]
  )
})
