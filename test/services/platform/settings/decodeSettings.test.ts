import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { decodeSettings } from "../../../../src/services/platform/settings/decodeSettings.ts"

const BASE = { homeDir: "/home/me", installDir: "/srv/console", webRoot: "/srv/web" }

const decode = (variables: Readonly<Record<string, string>>) => Result.getOrThrow(decodeSettings(variables, BASE))

const problem = (variables: Readonly<Record<string, string>>): string =>
  Result.match(decodeSettings(variables, BASE), { onSuccess: () => "", onFailure: (error) => error.message })

describe("a value that cannot be used is named together with what is allowed", () => {
  it.each([
    ["PORT", "0x50", "PORT must be a whole number from 0 to 65535"],
    ["PORT", "65536", "PORT must be a whole number from 0 to 65535"],
    ["SSL_PORT", "-1", "SSL_PORT must be a whole number from 0 to 65535"],
    ["HOST", "http://x/", "HOST must be a host name or an address"],
    ["GATEWAY_URL", "ftp://127.0.0.1", "GATEWAY_URL must be an http, https, ws or wss address"],
    ["VENDOR_A_BASE_URL", "nowhere", "VENDOR_A_BASE_URL must be an http or https address"],
    ["STT_PROVIDER", "vendor_b", "STT_PROVIDER must be one of: local, vendor_a"],
    ["STT_MODEL", "huge", "STT_MODEL must be one of: tiny, base, small, tiny.en, base.en, small.en"],
    ["EDGE_VOICE_GENDER", "robot", "EDGE_VOICE_GENDER must be one of: female, male"],
    ["SVC_AUTH", "on", "SVC_AUTH must be true or false"],
    ["SVC_ALLOW_INSECURE", "yes", "SVC_ALLOW_INSECURE must be true or false"],
    ["SVC_SESSION_SECRET", "short", "SVC_SESSION_SECRET must be 64 hexadecimal digits (32 bytes)"],
    ["SVC_SESSION_TTL", "1.5", "SVC_SESSION_TTL must be a whole number from 1000 to 31536000000000"],
    [
      "SVC_PASSWORD_HASH",
      "aa:bb",
      "SVC_PASSWORD_HASH isn't a valid hash: create a new one with `agent-console hash-password`"
    ],
    [
      "SVC_USER_NAME",
      "Agent:main",
      "SVC_USER_NAME must be a name of up to 80 characters, and neither operator nor agent:…"
    ],
    [
      "SVC_USER_NAME",
      "operator",
      "SVC_USER_NAME must be a name of up to 80 characters, and neither operator nor agent:…"
    ],
    ["SVC_USER_NAME", "Ada Lovelace", ""],
    ["HSTS", "on", "HSTS must be one of: subdomains, host, off"],
    ["HSTS", "", ""],
    ["SVC_INSTANCE", "My console", "SVC_INSTANCE must be 1 to 32 small letters, digits and hyphens"],
    ["SVC_INSTANCE", "a".repeat(33), "SVC_INSTANCE must be 1 to 32 small letters, digits and hyphens"],
    ["SVC_INSTANCE", "a_b", "SVC_INSTANCE must be 1 to 32 small letters, digits and hyphens"],
    ["SVC_INSTANCE", "", ""],
    ["SVC_INSTANCE", "home-2", ""],
    ["TTS_CACHE_MAX", "", ""]
  ])("%s=%s", (name, value, sentence) => {
    assert.strictEqual(problem({ [name]: value }), sentence)
  })

  it("and a secret's value is never repeated", () => {
    assert.notInclude(problem({ SVC_SESSION_SECRET: "hunter2", SVC_PASSWORD_HASH: "hunter2" }), "hunter2")
  })
})

const BASE_PATH_RULE =
  "BASE_PATH must be a path such as /console: it begins with a slash and doesn't end with one, and its parts are letters, digits, dots, underscores and hyphens"

describe("the base path", () => {
  it.each([
    ["", ""],
    ["/", ""],
    [" /console ", "/console"],
    ["/a/b-c/_d.e/1", "/a/b-c/_d.e/1"],
    ["/..a", "/..a"]
  ])("“%s” is “%s”", (value, path) => {
    assert.strictEqual(decode({ BASE_PATH: value }).basePath, path)
  })

  it.each([
    "console",
    "/console/",
    "//",
    "/a//b",
    "/a/./b",
    "/a/..",
    "/..",
    "/a b",
    "/a%20b",
    "/é",
    "/a?b",
    "/a#b",
    "https://x/a"
  ])("“%s” is refused", (value) => {
    assert.strictEqual(problem({ BASE_PATH: value }), BASE_PATH_RULE)
  })
})

describe("defaults and meanings", () => {
  it("every default holds without a single variable", () => {
    const settings = decode({})
    assert.deepInclude(settings, {
      port: 3080,
      sslPort: 3443,
      host: "127.0.0.1",
      gatewayUrl: "http://127.0.0.1:18789",
      gatewayToken: undefined,
      agentName: "Agent",
      sttProvider: "local",
      sttModel: "tiny",
      sttModelDir: "/home/me/.agent-console/models",
      language: "en",
      edgeVoiceGender: "female",
      authEnabled: false,
      sessionTtlMs: 2_592_000_000,
      fileBrowserRoot: undefined,
      memoryPath: "/home/me/.openclaw/workspace/MEMORY.md",
      memoryDir: "/home/me/.openclaw/workspace/memory",
      usageFile: "/home/me/.openclaw/token-usage.json",
      voicePhrasesPath: "/home/me/.agent-console/voice-phrases.json",
      ttsCacheTtlMs: 3_600_000,
      ttsCacheMax: 200,
      svcHome: "/home/me/.agent-console",
      gatewayHome: "/home/me/.openclaw",
      development: false
    })
    assert.deepStrictEqual(settings.wsAllowedHosts, ["localhost", "127.0.0.1", "::1"])
    assert.deepStrictEqual(settings.trustedProxies, ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
  })

  it("the second name of the token counts only without the first", () => {
    const token = (variables: Readonly<Record<string, string>>) => {
      const { gatewayToken } = decode(variables)
      return gatewayToken === undefined ? undefined : Redacted.value(gatewayToken)
    }
    assert.strictEqual(token({ ALT_GATEWAY_TOKEN: "b" }), "b")
    assert.strictEqual(token({ GATEWAY_TOKEN: "a", ALT_GATEWAY_TOKEN: "b" }), "a")
  })

  it("the gateway's address is the same place by ws as by http", () => {
    const url = (value: string) => decode({ GATEWAY_URL: value }).gatewayUrl
    assert.strictEqual(url("ws://127.0.0.1:33427"), "http://127.0.0.1:33427")
    assert.strictEqual(url("WSS://agents.example/"), "https://agents.example")
  })

  it("secrets do not show when settings are printed", () => {
    const shown = JSON.stringify(decode({ GATEWAY_TOKEN: "hunter2", VENDOR_A_API_KEY: "hunter2" }))
    assert.notInclude(shown, "hunter2")
  })

  it("origins are normalised and `null` is never one of them", () => {
    const { allowedOrigins } = decode({ ALLOWED_ORIGINS: "https://Me.example:443/x, null, file:///a, nonsense" })
    assert.deepStrictEqual(allowedOrigins, ["https://me.example"])
  })

  it("connect sources keep only the four schemes and cannot end the directive", () => {
    const { cspConnectExtra } = decode({ CSP_CONNECT_EXTRA: "wss://a.example; ftp://b http://c.example;script-src" })
    assert.deepStrictEqual(cspConnectExtra, ["wss://a.example", "http://c.examplescript-src"])
  })

  it("TRUSTED_PROXIES replaces its default, WS_ALLOWED_HOSTS adds to its own", () => {
    const settings = decode({ TRUSTED_PROXIES: "10.0.0.1", WS_ALLOWED_HOSTS: "Box.local, [fd00::1]" })
    assert.deepStrictEqual(settings.trustedProxies, ["10.0.0.1"])
    assert.deepStrictEqual(settings.wsAllowedHosts, ["localhost", "127.0.0.1", "::1", "box.local", "fd00::1"])
  })

  it("TRUSTED_PROXIES takes ranges of both families, an empty one means nobody, and anything else is named", () => {
    const entries = "172.17.0.0/16, 10.0.0.1,fd00::/8,::ffff:127.0.0.1"
    assert.deepStrictEqual(decode({ TRUSTED_PROXIES: entries }).trustedProxies, [
      "172.17.0.0/16",
      "10.0.0.1",
      "fd00::/8",
      "::ffff:127.0.0.1"
    ])
    for (const empty of ["", " ", ","]) assert.deepStrictEqual(decode({ TRUSTED_PROXIES: empty }).trustedProxies, [])
    for (const wrong of ["nginx", "*", "10.0.0.0/33", "https://10.0.0.1", "10.0.0.1:80"]) {
      const message = problem({ TRUSTED_PROXIES: `127.0.0.1, ${wrong}` })
      assert.match(message, /^TRUSTED_PROXIES must be addresses or ranges/)
      assert.include(message, wrong)
    }
  })

  it("an unknown voice language falls back to English, the old name is still read", () => {
    assert.strictEqual(decode({ SVC_LANGUAGE: "xx" }).language, "en")
    assert.strictEqual(decode({ LANGUAGE: "de_DE:de" }).language, "de")
    assert.strictEqual(decode({ SVC_LANGUAGE: "fr", LANGUAGE: "de" }).language, "fr")
  })

  it("paths start at the home with `~` and at the start directory without", () => {
    const settings = decode({ MEMORY_PATH: "~/notes/M.md", MEMORY_DIR: "daily", FILE_BROWSER_ROOT: "~" })
    assert.strictEqual(settings.memoryPath, "/home/me/notes/M.md")
    assert.strictEqual(settings.memoryDir, "/srv/console/daily")
    assert.strictEqual(settings.fileBrowserRoot, "/home/me")
  })
})
