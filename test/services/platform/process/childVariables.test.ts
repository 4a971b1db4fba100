import { assert, describe, it } from "@effect/vitest"
import { childVariables, type Need } from "../../../../src/services/platform/process/childCommand.ts"
import { EnvironmentSchema } from "../../../../src/services/platform/settings/settingsSchema.ts"
import { consoleVariables } from "../../../support/spyProgram.ts"

const NEEDS: ReadonlyArray<Need> = ["network", "session", "git", "npm", "gateway", "agentB"]

describe("a program's variables", () => {
  it("are what it needs to run", () => {
    const own = { PATH: "/bin", HOME: "/home/a", LANG: "de_DE.UTF-8", LC_TIME: "C", TZ: "UTC", TMPDIR: "/tmp/x" }
    assert.deepStrictEqual(childVariables({ ...own, ...consoleVariables() }), own)
  })

  it("are none of the console's settings, whatever it needs", () => {
    const given = childVariables(consoleVariables(), { needs: NEEDS })
    assert.deepStrictEqual(given, {})
    assert.isAbove(Object.keys(EnvironmentSchema.fields).length, 50)
  })

  it.each([
    ["network", ["https_proxy", "HTTPS_PROXY", "no_proxy", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]],
    ["session", ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]],
    ["git", ["SSH_AUTH_SOCK", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_CONFIG_GLOBAL"]],
    ["npm", ["npm_config_registry", "NPM_CONFIG_CAFILE", "npm_config_//registry.example/:_authToken", "NODE_OPTIONS"]],
    ["gateway", ["OPENCLAW_PROFILE", "OPENCLAW_GATEWAY_TOKEN"]],
    ["agentB", ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"]]
  ] as const)("of the group %s go to who names it, and to nobody else", (need, names) => {
    const own = Object.fromEntries(names.map((name) => [name, "x"]))
    assert.deepStrictEqual(childVariables(own, { needs: [need] }), own)
    assert.deepStrictEqual(childVariables(own, { needs: NEEDS.filter((other) => other !== need) }), {})
  })

  it("never point git at another repository, index, object store or setting", () => {
    const own = Object.fromEntries(
      [
        ...["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"],
        ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"],
        ...["GIT_CONFIG_PARAMETERS", "GIT_CONFIG", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_EXTERNAL_DIFF"],
        ...["GIT_REPLACE_REF_BASE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_ASKPASS", "GIT_PROXY_COMMAND"]
      ].map((name) => [name, "x"])
    )
    assert.deepStrictEqual(childVariables(own, { needs: NEEDS }), {})
  })

  it("are the console's choice where it has one, in whatever case the other is written", () => {
    const set = { PATH: "/usr/bin", NO_COLOR: "1", LC_ALL: "C", TERM: undefined }
    assert.deepStrictEqual(childVariables({ Path: "C:\\bin", lc_all: "de", HOME: "/h" }, { set }), {
      HOME: "/h",
      PATH: "/usr/bin",
      NO_COLOR: "1",
      LC_ALL: "C"
    })
  })
})
