import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { consoleVariables, SECRET, seenIn, spyProgram } from "../support/spyProgram.ts"
import { finishUpdate } from "../support/update/startUpdate.ts"
import { makeUpdateHome, type UpdateHome } from "../support/update/updateHome.ts"

const which = (home: UpdateHome, name: string) =>
  execFileSync("sh", ["-c", `command -v ${name}`], {
    encoding: "utf8",
    env: { PATH: home.programs.path }
  }).trim()

const PROGRAMS = ["git", "npm", "systemctl", "du", "sync"]

it.live("each program of an update has what it needs, and nothing else of the user's environment", () =>
  Effect.gen(function* () {
    const home = yield* makeUpdateHome()
    home.release("1.1.0")
    const folder = join(home.home, "spies")
    mkdirSync(folder)
    for (const name of PROGRAMS) spyProgram(folder, name, `exec "${which(home, name)}" "$@"`)
    const secrets = consoleVariables()
    // A setting that isn't valid would stop the update before it starts any program.
    const valid = { SVC_AUTH: "true", SVC_PASSWORD_HASH: "a".repeat(64).concat(":", "b".repeat(128)) }
    const names = ["GATEWAY_TOKEN", "ALT_GATEWAY_TOKEN", "VENDOR_A_API_KEY", "VENDOR_B_API_TOKEN", "NOTIFY_SECRET"]
    const env = {
      ...Object.fromEntries(names.map((name) => [name, secrets[name] ?? ""])),
      ...valid,
      AWS_SECRET_ACCESS_KEY: `${SECRET}-aws`,
      SVC_SESSION_SECRET: "c".repeat(64),
      BOARD_URL: `postgres://me:${SECRET}@127.0.0.1:1/board`,
      GIT_DIR: `/nonexistent/${SECRET}`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.worktree",
      GIT_CONFIG_VALUE_0: `/nonexistent/${SECRET}`,
      SSH_AUTH_SOCK: "/run/agent",
      npm_config_fund: "false",
      XDG_RUNTIME_DIR: "/run/user/1",
      https_proxy: "http://127.0.0.1:9",
      PATH: `${folder}:${home.programs.path}`
    }
    const { code, output } = yield* finishUpdate(home, [], env)
    assert.strictEqual(code, exitCodes.ok, output)

    const forbidden = ["GIT_DIR", "GIT_CONFIG_COUNT", "SVC_SESSION_SECRET", ...names, ...Object.keys(valid)]
    const given = new Map<string, Set<string>>()
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".seen"))) {
      const seen = seenIn(join(folder, file)) ?? {}
      const [name = ""] = file.split(".")
      given.set(name, new Set([...(given.get(name) ?? []), ...Object.keys(seen)]))
      assert.strictEqual(seen.PATH, env.PATH)
      assert.strictEqual(seen.HOME, home.home)
      assert.deepStrictEqual(
        Object.keys(seen).filter((one) => forbidden.includes(one) || seen[one]?.includes(SECRET)),
        [],
        name
      )
    }
    assert.sameMembers([...given.keys()], PROGRAMS)
    const has = (variable: string) => PROGRAMS.filter((name) => given.get(name)?.has(variable))
    assert.deepStrictEqual(has("SSH_AUTH_SOCK"), ["git"])
    assert.deepStrictEqual(has("npm_config_fund"), ["npm"])
    assert.deepStrictEqual(has("XDG_RUNTIME_DIR"), ["git", "systemctl"])
    assert.deepStrictEqual(has("https_proxy"), ["git", "npm"])
  })
)
