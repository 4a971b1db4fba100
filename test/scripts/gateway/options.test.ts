import { assert, describe, it } from "@effect/vitest"
import { GATEWAY_VERSIONS, HELP, parseOptions } from "../../../scripts/gateway/options.ts"

const optionsOf = (...args: ReadonlyArray<string>) => {
  const asked = parseOptions(args)
  return "options" in asked ? asked.options : assert.fail(JSON.stringify(asked))
}
const mistakeOf = (...args: ReadonlyArray<string>) => {
  const asked = parseOptions(args)
  return "mistake" in asked ? asked.mistake : assert.fail(JSON.stringify(asked))
}

describe("the gateway starter's arguments", () => {
  it("are a new gateway of the newer generation by default", () => {
    assert.deepStrictEqual(optionsOf(), {
      version: GATEWAY_VERSIONS[0],
      port: 0,
      settings: [],
      json: false,
      logs: false,
      installOnly: false
    })
  })

  it("name a version, an address, a home and settings", () => {
    const args = ["--version", "2026.3.23-2", "--port=4000", "--token", "t", "--home", "h", "--json", "--logs"]
    assert.deepStrictEqual(optionsOf(...args, "--set", 'tools.exec.ask="always"', "--set", "a.b=[1,2]"), {
      version: "2026.3.23-2",
      port: 4000,
      token: "t",
      home: "h",
      settings: [
        ["tools.exec.ask", "always"],
        ["a.b", [1, 2]]
      ],
      json: true,
      logs: true,
      installOnly: false
    })
    assert.isTrue(optionsOf("--install-only").installOnly)
    assert.deepStrictEqual(optionsOf("--ask", "--set", "a=1").settings, [
      ["tools.exec.security", "allowlist"],
      ["tools.exec.ask", "always"],
      ["a", 1]
    ])
  })

  it("are explained where they are wrong", () => {
    assert.strictEqual(mistakeOf("--version", "latest"), "--version latest isn't a version such as 2026.9.6")
    assert.strictEqual(mistakeOf("--version", "../../x"), "--version ../../x isn't a version such as 2026.9.6")
    assert.strictEqual(mistakeOf("--port", "70000"), "--port 70000 isn't a port")
    assert.strictEqual(mistakeOf("--port", "x"), "--port x isn't a port")
    assert.strictEqual(mistakeOf("--token", ""), "--token is empty")
    assert.strictEqual(mistakeOf("--set", "noequals"), "--set noequals isn't PATH=JSON")
    assert.strictEqual(mistakeOf("--set", "a=b"), "--set a=b: b isn't JSON")
    assert.include(mistakeOf("--nonsense"), "--nonsense")
    assert.include(mistakeOf("2026.9.6"), "2026.9.6")
  })

  it("are all in the help", () => {
    assert.deepStrictEqual(parseOptions(["--help"]), { help: true })
    assert.deepStrictEqual(parseOptions(["-h"]), { help: true })
    for (const name of ["version", "port", "token", "home", "ask", "set", "json", "logs", "install-only"])
      assert.include(HELP, `--${name}`)
    for (const version of GATEWAY_VERSIONS) assert.include(HELP, version)
  })
})
