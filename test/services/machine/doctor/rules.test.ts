import { execFileSync } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import type { Budget } from "../../../../src/contract/schema/budget.ts"
import { budgetsFinding } from "../../../../src/services/machine/doctor/budgetsFinding.ts"
import {
  changedSettings,
  deviceFinding,
  gatewayFilesFinding,
  gatewayFinding,
  homeFinding,
  hstsName,
  localSpeechFinding,
  portFinding,
  settingsFindings,
  signInFinding,
  tokenFinding,
  vendorSpeechFinding
} from "../../../../src/services/machine/doctor/doctorRules.ts"
import { certificateFinding } from "../../../../src/services/machine/doctor/lookAtCertificate.ts"
import { storeFault } from "../../../../src/services/platform/sqlite/storeFault.ts"

const connection = (scopes: ReadonlyArray<string>) => ({
  protocol: 4,
  version: "2.0.0",
  scopes,
  methods: new Set<string>()
})

describe("budgets", () => {
  const budget = (state: Budget["state"]): Budget => ({
    id: state,
    scope: { kind: "all" },
    period: "day",
    limit: { usd: 5 },
    warnAt: 0.8,
    action: "ask",
    zone: "UTC",
    createdAt: 0,
    version: 1,
    spent: { usd: 0, minutes: 0, turns: 0, unpriced: 0 },
    extra: {},
    state
  })
  const found = (active: boolean, ...states: ReadonlyArray<Budget["state"]>) => {
    const { detail, state } = budgetsFinding({ budgets: states.map(budget), stop: { active } })
    return [state, detail]
  }

  it("are worth a look while they, or the stop of everything, hold work", () => {
    assert.deepStrictEqual(found(false), ["ok", "None yet: nothing limits what agents spend."])
    assert.deepStrictEqual(found(false, "ok", "warned"), ["ok", "2 of 2 have something left."])
    assert.deepStrictEqual(found(false, "ok", "paused"), [
      "warning",
      "1 of 2 are used up: the work that counts for them waits."
    ])
    assert.deepStrictEqual(found(true, "ok"), ["warning", "Everything is stopped: no agent works."])
  })
})

describe("the gateway", () => {
  it("answers, with its version where it reports one", () => {
    const finding = gatewayFinding("http://gw", { gateway: "ok", since: 0 }, connection(["operator.read"]))
    assert.deepStrictEqual(finding, {
      state: "ok",
      detail: "http://gw answers, version 2.0.0.",
      why: { code: "GATEWAY_ANSWERS_VERSION", values: { address: "http://gw", version: "2.0.0" } }
    })
  })

  it("is away for the reason its client knows", () => {
    const finding = gatewayFinding(
      "http://gw",
      { gateway: "unreachable", since: 0, reason: "It is off: start it" },
      undefined
    )
    assert.deepStrictEqual(finding, { state: "problem", detail: "It is off: start it." })
    assert.isDefined(gatewayFinding("http://gw", { gateway: "unreachable", since: 0 }, undefined).fix)
  })

  it("has approved the device, has not, or cannot be asked", () => {
    assert.strictEqual(deviceFinding({ gateway: "ok", since: 0 }, connection(["operator.read"])).state, "ok")
    const waiting = deviceFinding({ gateway: "ok", since: 0, reason: "Not approved" }, connection([]))
    assert.strictEqual(waiting.state, "problem")
    assert.include(waiting.fix ?? "", "openclaw devices approve")
    assert.strictEqual(deviceFinding({ gateway: "unreachable", since: 0 }, undefined).state, "warning")
  })

  it("needs a token", () => {
    assert.strictEqual(tokenFinding(true).state, "ok")
    assert.include(tokenFinding(false).fix ?? "", "GATEWAY_TOKEN")
  })
})

describe("sign-in", () => {
  const settings = {
    host: "127.0.0.1",
    authEnabled: false,
    allowInsecure: false,
    passwordHash: undefined,
    sessionSecret: undefined
  }
  const secret = Redacted.make("x")

  it.each([
    ["ok", {}],
    ["ok", { host: "::1" }],
    ["problem", { host: "0.0.0.0" }],
    ["warning", { host: "0.0.0.0", allowInsecure: true }],
    ["warning", { host: "192.168.1.5" }],
    ["warning", { authEnabled: true }],
    ["warning", { authEnabled: true, passwordHash: secret }],
    ["ok", { host: "0.0.0.0", authEnabled: true, passwordHash: secret, sessionSecret: secret }]
  ] as const)("is %s with %j", (state, changed) => {
    const finding = signInFinding({ ...settings, ...changed })
    assert.strictEqual(finding.state, state)
    assert.strictEqual(finding.fix === undefined, state === "ok")
  })
})

describe("the port", () => {
  it.each([
    ["ok", { kind: "console", version: "1.0.0" }],
    ["ok", { kind: "free" }],
    ["problem", { kind: "taken" }],
    ["problem", { kind: "forbidden" }],
    ["problem", { kind: "noSuchAddress" }]
  ] as const)("is %s when %j", (state, use) => {
    assert.strictEqual(portFinding({ host: "127.0.0.1", port: 3080 }, use).state, state)
  })
})

describe("folders", () => {
  const good = { isThere: true, isFolder: true, isReadable: true, isWritable: true, mode: 0o700, freeBytes: 1e12 }

  it("the console's own is made, must be writable, and wants room", () => {
    assert.strictEqual(homeFinding({ ...good, isThere: false }).state, "ok")
    assert.strictEqual(homeFinding(good).state, "ok")
    assert.strictEqual(homeFinding({ ...good, isFolder: false }).state, "problem")
    assert.strictEqual(homeFinding({ ...good, isWritable: false }).state, "problem")
    assert.include(homeFinding({ ...good, freeBytes: 5 << 20 }).detail, "5 MB")
  })

  it("the console's own says when others may look into it, and why its database can't be written to", () => {
    assert.include(homeFinding(good, { open: "anothers" }).detail, "belongs to another user")
    assert.include(homeFinding(good, { open: "withoutModes" }).detail, "has no permissions")
    for (const open of ["anothers", "withoutModes"] as const) {
      assert.strictEqual(homeFinding(good, { open }).state, "warning")
    }
    const full = homeFinding(good, { fault: { reason: "disk_full", message: "" } })
    assert.deepStrictEqual([full.state, full.detail], ["problem", "Its disk is full, so changes can't be saved."])
    const fault = storeFault("the console's database", "FUSE")({ errcode: 5386 })
    const elsewhere = homeFinding(good, { fault })
    assert.strictEqual(elsewhere.state, "problem")
    assert.include(elsewhere.detail, "The console's database can't be on this file system (FUSE)")
    assert.strictEqual(homeFinding(good, { fault: { reason: "busy", message: "busy" } }).state, "warning")
  })

  it("the gateway's may be on another machine, unreadable, or read-only", () => {
    assert.strictEqual(gatewayFilesFinding(good, good).state, "ok")
    assert.strictEqual(gatewayFilesFinding({ ...good, isThere: false }, good).state, "warning")
    assert.strictEqual(gatewayFilesFinding(good, { ...good, isThere: false }).state, "ok")
    assert.strictEqual(gatewayFilesFinding(good, { ...good, isReadable: false }).state, "problem")
    assert.strictEqual(gatewayFilesFinding(good, { ...good, isWritable: false }).state, "warning")
  })

  it("the workspace's may change without the console hearing of it", () => {
    const finding = (missed: "all" | "remote" | undefined) =>
      gatewayFilesFinding(good, good, { missed, fileSystem: "NFS" })
    assert.strictEqual(finding(undefined).state, "ok")
    assert.strictEqual(finding("all").state, "warning")
    assert.strictEqual(finding("remote").state, "ok")
    assert.include(finding("remote").detail, "It's on NFS")
  })
})

describe("speech", () => {
  it("is heard by a model that is here, will be fetched, or by a vendor with a key", () => {
    assert.strictEqual(localSpeechFinding("tiny", true).state, "ok")
    assert.include(localSpeechFinding("base.en", false).detail, "142 MB")
    assert.strictEqual(vendorSpeechFinding(true).state, "ok")
    assert.include(vendorSpeechFinding(false).fix ?? "", "Settings › Voice")
  })
})

describe("the certificate", () => {
  const make = (days: number) => {
    const text = execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
        ...["-days", String(days), "-subj", "/CN=localhost", "-keyout", "-", "-out", "-"]
      ],
      { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
    )
    const part = (name: string) =>
      new RegExp(`-----BEGIN ${name}-----[^]*?-----END ${name}-----\n`).exec(text)?.[0] ?? ""
    return { cert: part("CERTIFICATE"), key: part("PRIVATE KEY") }
  }
  const DAY = 86_400_000
  const files = { ...make(100), others: ["cert.pem", "key.pem"], served: undefined, isRunning: false }
  const now = Date.parse(new X509Certificate(files.cert).validFrom)

  it("may be missing; half of one keeps HTTPS off", () => {
    assert.strictEqual(certificateFinding({ ...files, cert: undefined, key: undefined, others: [] }, now).state, "ok")
    assert.include(certificateFinding({ ...files, key: undefined }, now).detail, "certs/key.pem is missing")
    assert.include(certificateFinding({ ...files, cert: undefined }, now).detail, "certs/cert.pem is missing")
  })

  it.each(["fullchain.pem", "privkey.pem", "nas.crt", "server.key"])("is missed under another name: %s", (name) => {
    const finding = certificateFinding({ ...files, cert: undefined, key: undefined, others: ["README", name] }, now)
    assert.strictEqual(finding.state, "warning")
    assert.include(finding.detail, name)
    assert.include(finding.fix ?? "", "certs/cert.pem")
    assert.include(finding.fix ?? "", "certs/key.pem")
  })

  it("is another one than the console serves", () => {
    const served = new X509Certificate(make(1).cert).fingerprint256
    assert.include(certificateFinding({ ...files, served }, now).detail, "serves another certificate")
    assert.include(certificateFinding({ ...files, isRunning: true }, now).detail, "doesn't serve yet")
    const own = new X509Certificate(files.cert).fingerprint256
    assert.strictEqual(certificateFinding({ ...files, served: own, isRunning: true }, now).state, "ok")
  })

  it("ends some day, and says so in time", () => {
    assert.strictEqual(certificateFinding(files, now).state, "ok")
    assert.strictEqual(certificateFinding(files, now + 90 * DAY).state, "warning")
    assert.strictEqual(certificateFinding(files, now + 101 * DAY).state, "problem")
    assert.strictEqual(certificateFinding(files, now - 2 * DAY).state, "problem")
  })

  it("must be readable, PEM, and belong to its key", () => {
    assert.strictEqual(certificateFinding({ ...files, key: "unreadable" }, now).state, "problem")
    assert.include(certificateFinding({ ...files, key: "garbage" }, now).detail, "isn't PEM")
    assert.include(certificateFinding({ ...files, key: make(1).key }, now).detail, "doesn't belong")
  })
})

describe("settings", () => {
  it("are ok when each has an effect; each that has none, or has one after a restart, is reported", () => {
    assert.deepStrictEqual(
      settingsFindings([], []).map(({ state }) => state),
      ["ok"]
    )
    const told = settingsFindings([{ detail: { message: "Odd." }, fix: { message: "Mend it." } }], ["PORT"])
    assert.deepStrictEqual(
      told.map(({ detail }) => detail),
      ["Odd.", "PORT has changed since the console started."]
    )
  })

  it("that the console writes itself don't count as changed", () => {
    const started = { PORT: "3080", SVC_LANGUAGE: "en", HOST: " 127.0.0.1 " }
    const now = { PORT: "3081", SVC_LANGUAGE: "de", HOST: "127.0.0.1", SVC_AUTH: "true" }
    assert.deepStrictEqual(changedSettings(started, now, ["HOST", "PORT", "SVC_AUTH", "SVC_LANGUAGE"]), [
      "PORT",
      "SVC_AUTH"
    ])
  })
})

it.each([
  [["https://console.example.org"], "subdomains", false, "console.example.org"],
  [["http://nas.lan:3080", "https://nas.lan:3443"], "subdomains", false, "nas.lan"],
  [["https://console.example.org"], "subdomains", true, undefined],
  [["https://console.example.org"], "host", false, undefined],
  [["https://console.example.org"], "off", false, undefined],
  [["https://192.168.1.5:3443", "https://[fd00::1]", "https://localhost:3443"], "subdomains", false, undefined],
  [["http://console.example.org"], "subdomains", false, undefined],
  [[], "subdomains", false, undefined]
] as const)("at %j, HSTS=%s (chosen: %s) locks other services out at %s", (allowedOrigins, hsts, isChosen, name) => {
  assert.strictEqual(hstsName({ allowedOrigins, hsts }, isChosen), name)
})
