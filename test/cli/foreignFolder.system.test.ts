import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { addressOf, printed } from "../support/printed.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const VARIABLES = { PORT: "0", GATEWAY_TOKEN: "let-me-in", GATEWAY_URL: "http://127.0.0.1:1" }

const canBeOthers = process.getuid?.() === 0
if (!canBeOthers) console.log("skipped: only root can start a console as somebody else")

/** A folder of root's in which the console runs as somebody else. */
const folderOfRoot = Effect.fnUntraced(function* (group: number, mode: number) {
  const directory = yield* temporaryDirectory
  chmodSync(directory, 0o755)
  const home = join(directory, "home")
  mkdirSync(home)
  chownSync(home, 0, group)
  chmodSync(home, mode)
  return { directory, home }
})

const SOMEBODY = 1234

describe.runIf(canBeOthers)("a folder that belongs to somebody else", () => {
  it.live.each([
    [SOMEBODY, 0o2775],
    [SOMEBODY, 0o2770],
    [0, 0o777]
  ] as const)("is used if group %i and mode %i let this user write to it", ([group, mode]) =>
    Effect.gen(function* () {
      const { directory, home } = yield* folderOfRoot(group, mode)
      const running = yield* startConsole({
        directory,
        variables: { ...VARIABLES, SVC_HOME: "~/home" },
        as: SOMEBODY
      })
      yield* printed(running, /WARN .*others may be able to read the console's folder: it belongs to another user/)
      yield* addressOf(running)
      assert.strictEqual(statSync(home).mode & 0o7777, mode)
      for (const name of ["console.db", "device-identity.json"]) {
        assert.strictEqual(statSync(join(home, name)).mode & 0o777, 0o600, name)
      }
    })
  )

  it.live("is refused with both users and the command that helps if it doesn't", () =>
    Effect.gen(function* () {
      const { directory } = yield* folderOfRoot(0, 0o755)
      const ended = yield* runConsole({
        directory,
        variables: { ...VARIABLES, SVC_HOME: "~/home" },
        as: SOMEBODY
      })
      assert.strictEqual(ended.code, exitCodes.home, ended.stderr)
      assert.match(
        ended.stderr,
        /^agent-console: can't use the folder ~\/home: it belongs to user 0, and this user, 1234, isn't allowed to write there\. Run `chown -R 1234:1234 \S+\/home` as root [^\n]+\n$/
      )
    })
  )

  it.live("is refused the same way if only what is in it belongs to somebody else", () =>
    Effect.gen(function* () {
      const { directory, home } = yield* folderOfRoot(SOMEBODY, 0o2770)
      writeFileSync(join(home, "console.lock"), "", { mode: 0o600 })
      const ended = yield* runConsole({
        directory,
        variables: { ...VARIABLES, SVC_HOME: "~/home" },
        as: SOMEBODY
      })
      assert.strictEqual(ended.code, exitCodes.home, ended.stderr)
      assert.match(
        ended.stderr,
        /^agent-console: can't lock the folder ~\/home: console\.lock in it belongs to user 0, and this user, 1234, isn't allowed to write there\. Run `chown -R 1234:1234 \S+\/home` as root [^\n]+\n$/
      )
    })
  )
})
