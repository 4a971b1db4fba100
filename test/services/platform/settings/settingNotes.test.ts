import { assert, describe, it } from "@effect/vitest"
import { settingNotes } from "../../../../src/services/platform/settings/settingNotes.ts"

const notesOf = (dotEnv: string, environment: Record<string, string> = {}) =>
  settingNotes({ dotEnv, environment }).map(({ detail, fix }) => ({ detail: detail.message, fix: fix.message }))
const detailsOf = (dotEnv: string, environment: Record<string, string> = {}) =>
  notesOf(dotEnv, environment).map(({ detail }) => detail)

describe("a setting without effect", () => {
  it.each([
    ["SVC_AUHT=true", "SVC_AUHT", "Did you mean SVC_AUTH?"],
    ["svc_auth=true", "svc_auth", "Did you mean SVC_AUTH?"],
    ["SVC-AUTH=true", "SVC-AUTH", "Did you mean SVC_AUTH?"],
    ["TRUSTED_PROXY=10.0.0.1", "TRUSTED_PROXY", "Did you mean TRUSTED_PROXIES?"],
    ["ALLOWED_ORIGIN=https://a.example", "ALLOWED_ORIGIN", "Did you mean ALLOWED_ORIGINS?"],
    ["export GATEWAY_TOKN=x", "GATEWAY_TOKN", "Did you mean GATEWAY_TOKEN?"],
    ["AUTH=true", "AUTH", "Did you mean SVC_AUTH?"],
    ["SOMETHING_ELSE_ALTOGETHER=1", "SOMETHING_ELSE_ALTOGETHER", "Remove it, or look its name up in .env.example."]
  ])("is named with its line and what was meant: %s", (line, name, fix) => {
    const notes = notesOf(`# mine\nPORT=3080\n${line}\n`)
    assert.deepStrictEqual(notes, [{ detail: `${name} (.env, line 3) isn't a setting of the console.`, fix }])
  })

  it("is looked for in the environment only where it's nearly one of the console's", () => {
    const environment = {
      SVC_AUHT: "true",
      ALLOWED_ORIGIN: "https://a.example",
      HOSTNAME: "box",
      PORTS: "1",
      EDITOR: "vi",
      SVC_CONSOLE_PORT: "tcp://10.0.0.1:80"
    }
    assert.deepStrictEqual(detailsOf("", environment), [
      "SVC_AUHT (environment) isn't a setting of the console.",
      "ALLOWED_ORIGIN (environment) isn't a setting of the console."
    ])
  })

  it.each([
    "nas.example",
    "nas.example:443",
    "*",
    "https://*.nas.example",
    "https://a.example https://b.example",
    "ws://nas.example",
    "null"
  ])("is an origin that no browser sends: %s", (entry) => {
    const notes = notesOf(`ALLOWED_ORIGINS=https://fine.example,${entry}\n`)
    assert.strictEqual(notes.length, 1)
    assert.strictEqual(notes[0]?.detail, `${entry} in ALLOWED_ORIGINS (.env, line 1) has no effect.`)
    assert.include(notes[0]?.fix ?? "", "https://console.example.org")
  })

  it("isn't one that works", () => {
    const dotEnv = `PORT=3080
GATEWAY_TOKEN="x # y"
ALLOWED_ORIGINS=https://a.example, http://b.example:8080, https://münchen.example/
CSP_CONNECT_EXTRA=https://a.example wss://b.example
WS_ALLOWED_HOSTS=nas.example,[::1],fd00::1,10.0.0.1
OPENCLAW_GATEWAY_TOKEN=x
SVC_PASSWORD_HASH=${"0".repeat(64)}:${"0".repeat(128)}
SVC_AUTH=1
# SVC_AUHT=true
`
    assert.deepStrictEqual(detailsOf(dotEnv), [])
  })

  it("is a path of the gateway's address, or a language that no voice has", () => {
    const dotEnv = "GATEWAY_URL=https://gateway.example/base\nSVC_LANGUAGE=nl\n"
    assert.deepStrictEqual(detailsOf(dotEnv), [
      "/base in GATEWAY_URL (.env, line 1) has no effect.",
      "SVC_LANGUAGE (.env, line 2) isn't a language of the voices, so English is used."
    ])
    assert.deepStrictEqual(detailsOf("GATEWAY_URL=ws://gateway.example:18789/\nSVC_LANGUAGE=de-CH\n"), [])
  })

  it("is reported for other lists, and for what needs another setting", () => {
    assert.deepStrictEqual(
      detailsOf(
        "WS_ALLOWED_HOSTS=nas.example:18789,https://nas.example\nCSP_CONNECT_EXTRA=nas.example\nNOTIFY_SECRET=x\n",
        {
          SVC_PASSWORD_HASH: "x"
        }
      ),
      [
        "nas.example in CSP_CONNECT_EXTRA (.env, line 2) has no effect.",
        "nas.example:18789 in WS_ALLOWED_HOSTS (.env, line 1) has no effect.",
        "https://nas.example in WS_ALLOWED_HOSTS (.env, line 1) has no effect.",
        "SVC_PASSWORD_HASH (environment) has no effect while SVC_AUTH isn't true.",
        "NOTIFY_SECRET (.env, line 3) has no effect while NOTIFY_URL isn't set."
      ]
    )
  })

  it.each([
    "mailto:me@localhost",
    "mailto:a@b",
    "https://nas.lan",
    "https://192.168.1.4",
    "https://[::1]/",
    "mailto:me@nas.local"
  ])("is a contact that nobody outside can reach: %s", (contact) => {
    assert.match(detailsOf(`PUSH_CONTACT=${contact}`)[0] ?? "", /^PUSH_CONTACT \(\.env, line 1\) isn't an address/)
    assert.deepStrictEqual(detailsOf("PUSH_CONTACT=mailto:me@example.org"), [])
    assert.deepStrictEqual(detailsOf("PUSH_CONTACT=https://example.org/contact"), [])
  })

  it("is a line that isn't NAME=value, or that a later one replaces", () => {
    assert.deepStrictEqual(detailsOf("\uFEFFSVC_AUTH: true\r\nPORT=1\r\nexport PORT=2\r\nHOST 0.0.0.0\r\n"), [
      "Line 1 of .env has no effect.",
      "Line 4 of .env has no effect.",
      "PORT (.env, line 2) has no effect, since line 3 sets it again."
    ])
  })

  it("never shows what somebody set a secret to", () => {
    const told = JSON.stringify(notesOf("GATEWAY_TOKN=hunter2\nNOTIFY_SECRET=hunter2\nSVC_SESSION_SECRET=hunter2\n"))
    assert.notInclude(told, "hunter2")
  })
})
