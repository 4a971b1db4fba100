import { assert, describe, it } from "@effect/vitest"
import { cacheFolder } from "../../../scripts/gateway/cacheFolder.ts"
import { gatewayConfig } from "../../../scripts/gateway/gatewayConfig.ts"
import { installProblem } from "../../../scripts/gateway/installProblem.ts"
import { lineFor, textFor } from "../../../scripts/gateway/printed.ts"

describe("the folder that installed gateways are in", () => {
  const at = (platform: string, env: Record<string, string>) => cacheFolder({ platform, home: "/home/me", env })

  it("is the user's cache, on each system", () => {
    assert.strictEqual(at("linux", {}), "/home/me/.cache/agent-console/gateways")
    assert.strictEqual(at("linux", { XDG_CACHE_HOME: "/cache" }), "/cache/agent-console/gateways")
    assert.strictEqual(at("linux", { XDG_CACHE_HOME: "relative" }), "/home/me/.cache/agent-console/gateways")
    assert.strictEqual(at("darwin", {}), "/home/me/Library/Caches/agent-console/gateways")
    assert.strictEqual(at("win32", { LOCALAPPDATA: "/local" }), "/local/agent-console/gateways")
  })

  it("is what GATEWAY_CACHE says", () => {
    assert.strictEqual(at("linux", { GATEWAY_CACHE: "/else", XDG_CACHE_HOME: "/cache" }), "/else")
    assert.strictEqual(at("linux", { GATEWAY_CACHE: "" }), "/home/me/.cache/agent-console/gateways")
  })
})

describe("what is said of an install that failed", () => {
  const said = (output: string) => installProblem("9.9.9", output)

  it("names the cause in a sentence", () => {
    const none = "The npm registry has no openclaw@9.9.9."
    assert.strictEqual(said("npm error code ETARGET\nnpm error notarget No matching version found"), none)
    assert.strictEqual(said("npm ERR! code E404"), none)
    const unreachable = (code: string) =>
      `The npm registry can't be reached (${code}), so openclaw@9.9.9 isn't installed.`
    for (const code of ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "E503"])
      assert.strictEqual(said(`npm error code ${code}`), unreachable(code))
    const full = "There is no disk space left to install openclaw@9.9.9."
    assert.strictEqual(said("npm error code ENOSPC"), full)
    assert.strictEqual(said("npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write"), full)
    for (const unknown of ["npm error code EINTEGRITY", ""]) assert.isUndefined(said(unknown))
  })
})

describe("the gateway's settings", () => {
  const facts = {
    port: 4000,
    token: "secret",
    stateFolder: "/h/.openclaw",
    logFile: "/h/gateway.log",
    modelUrl: "http://127.0.0.1:5000/v1",
    settings: []
  }

  it("are loopback, a token and the scripted model", () => {
    const config = JSON.parse(gatewayConfig(facts, undefined))
    assert.deepStrictEqual(config.gateway, {
      mode: "local",
      bind: "loopback",
      auth: { mode: "token", token: "secret" },
      controlUi: { enabled: false },
      port: 4000
    })
    assert.strictEqual(config.models.providers.mock.baseUrl, "http://127.0.0.1:5000/v1")
    assert.strictEqual(config.agents.defaults.workspace, "/h/.openclaw/workspace")
  })

  it("stay those of a home that was used before, but for the address, the token and the model's", () => {
    const before = JSON.stringify({ gateway: { port: 1, bind: "loopback" }, agents: { list: [{ id: "helper" }] } })
    const config = JSON.parse(gatewayConfig(facts, before))
    assert.deepStrictEqual(config, {
      gateway: { port: 4000, bind: "loopback", auth: { token: "secret" } },
      agents: { list: [{ id: "helper" }] },
      models: { providers: { mock: { baseUrl: "http://127.0.0.1:5000/v1" } } }
    })
  })

  it("are changed by their paths, through what isn't there yet", () => {
    const settings = [
      ["gateway.auth.mode", "none"],
      ["tools.exec.ask", "always"]
    ] as const
    const config = JSON.parse(gatewayConfig({ ...facts, settings }, undefined))
    assert.deepStrictEqual(config.gateway.auth, { mode: "none", token: "secret" })
    assert.deepStrictEqual(config.tools, { exec: { host: "gateway", security: "full", ask: "always" } })
  })
})

describe("what the starter prints", () => {
  const gateway = {
    version: "2026.9.6",
    url: "http://127.0.0.1:4000",
    token: "secret",
    pid: 7,
    gatewayHome: "/h/.openclaw",
    cli: "/h/bin/openclaw",
    modelUrl: "http://127.0.0.1:5000"
  }

  it("is one line for programs", () => {
    assert.notInclude(lineFor(gateway), "\n")
    assert.deepStrictEqual(JSON.parse(lineFor(gateway)), gateway)
  })

  it("is how to start the console, for people, and what becomes of the home", () => {
    const text = textFor(gateway, {})
    assert.include(text, "GATEWAY_URL=http://127.0.0.1:4000 GATEWAY_TOKEN=secret npm start")
    assert.include(text, "Ctrl-C stops it and removes its home.")
    assert.include(textFor(gateway, { home: "/kept" }), "Ctrl-C stops it; its home stays in /kept.")
  })
})
