import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gitVariables } from "../../../../src/services/platform/process/runGit.ts"

const NAMES = ["GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "LC_ALL", "PATH"]

describe("gitVariables", () => {
  it.effect("are a short list, whatever else the console was started with", () =>
    Effect.gen(function* () {
      const before = { ...process.env }
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const name of Object.keys(process.env)) delete process.env[name]
          Object.assign(process.env, before)
        })
      )
      Object.assign(process.env, {
        HOME: "/home/me",
        XDG_CONFIG_HOME: "/home/me/.config",
        SUDO_UID: "1000",
        BOARD_URL: "postgres://secret",
        NOTIFY_SECRET: "secret",
        GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='/trap'",
        GIT_EXTERNAL_DIFF: "/trap",
        LD_PRELOAD: "/trap.so"
      })
      const none = yield* gitVariables("none")
      assert.sameMembers(Object.keys(none), [...NAMES, "GIT_ATTR_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"])
      assert.strictEqual(none.GIT_ALLOW_PROTOCOL, "none")
      const owner = yield* gitVariables("owner")
      assert.sameMembers(Object.keys(owner), [...NAMES, "HOME", "SUDO_UID", "XDG_CONFIG_HOME"])
      assert.strictEqual(owner.PATH, before.PATH)
    })
  )
})
