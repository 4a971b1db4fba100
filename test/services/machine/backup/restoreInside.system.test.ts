import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../../../src/cli/exitCodes.ts"
import { canMount } from "../../../support/ownMounts.ts"
import { runConsole, temporaryDirectory } from "../../../support/runConsole.ts"
import { writeArchive } from "../../../support/tarArchive.ts"

const MAIN = fileURLToPath(new URL("../../../../src/cli/main.ts", import.meta.url))
const DEFINES = new URL("../../../support/sourceDefines.mjs", import.meta.url).href
const DIE_AT_STEP = new URL("../../../support/dieAtStep.mjs", import.meta.url).href
/** More than a restore has steps; the last one isn't killed. */
const MOST_STEPS = 80

const MOUNTED = 'mount --bind "$1" "$1"'
/** A user who may write into the folder, but not into the one it's in. */
const IN_A_FOLDER_OF_OTHERS =
  'mount --bind "$1/.." "$1/.." && mount --bind "$1" "$1" && mount -o remount,ro,bind "$1/.."'

interface Machine {
  readonly mounts?: string
  readonly dieAt?: number
}

/** A folder with old files, an archive with new ones, and a restore on a machine where the folder can't be renamed. */
const place = Effect.map(temporaryDirectory, (directory) => {
  const folder = join(directory, "in")
  const home = join(folder, "home")
  mkdirSync(home, { recursive: true })
  const file = join(directory, "a.tar.gz")
  writeArchive(file, [
    { path: "svc/version", text: "new" },
    { path: "svc/uploads/new", text: "new" },
    { path: "settings/.env", text: "PORT=1\n" }
  ])
  const restore = (args: ReadonlyArray<string>, { dieAt = 0, mounts = MOUNTED }: Machine = {}) =>
    spawnSync(
      "unshare",
      ["-Urm", "sh", "-c", `${mounts} && shift && exec "$@"`, "sh", home, process.execPath].concat(
        ["--import", DEFINES, "--import", DIE_AT_STEP, MAIN, "restore", file, "--into", home],
        args
      ),
      { encoding: "utf8", env: { PATH: process.env.PATH, HOME: directory, DIE_AT: String(dieAt), DIE_IN: "home" } }
    )
  return { directory, folder, home, file, restore }
})

const fill = (home: string) => {
  writeFileSync(join(home, "version"), "old")
  mkdirSync(join(home, "uploads"))
  writeFileSync(join(home, "uploads", "old"), "old")
}

const shown = (home: string) => readdirSync(home).filter((name) => !name.startsWith("."))

const asideIn = (home: string) => readdirSync(home).filter((name) => name.startsWith("."))

describe.runIf(canMount)("a restore into a folder that can't be renamed (needs unshare)", () => {
  it.live.each([
    ["a volume is mounted at it", MOUNTED],
    ["this user may not change what it's in", IN_A_FOLDER_OF_OTHERS]
  ] as const)("happens in it, if %s", ([, mounts]) =>
    Effect.gen(function* () {
      const { home, restore } = yield* place
      // What a file system has at its top for itself is no content.
      mkdirSync(join(home, "lost+found"))
      const first = restore([], { mounts })
      assert.strictEqual(first.status, exitCodes.ok, first.stderr)
      assert.sameMembers(readdirSync(home), ["version", "uploads", "restored", "lost+found"])

      assert.strictEqual(statSync(home).mode & 0o777, 0o700)
      writeFileSync(join(home, "version"), "changed")
      const refused = restore([], { mounts })
      assert.strictEqual(refused.status, exitCodes.noPlace)
      assert.include(refused.stderr, "isn't empty")
      const replaced = restore(["--replace"], { mounts })
      assert.strictEqual(replaced.status, exitCodes.ok, replaced.stderr)
      const [aside = ""] = asideIn(home)
      assert.match(aside, /^\.before-\d{8}-\d{6}$/)
      assert.include(replaced.stdout, `What was there before is in ${join(home, aside)}`)
      assert.strictEqual(readFileSync(join(home, aside, "version"), "utf8"), "changed")
      assert.strictEqual(readFileSync(join(home, "version"), "utf8"), "new")
      assert.strictEqual(restore(["--replace"], { mounts }).status, exitCodes.ok)
      assert.strictEqual(asideIn(home).length, 2)
    })
  )

  it.live("that fails leaves the folder as it was", () =>
    Effect.gen(function* () {
      const { home, restore } = yield* place
      fill(home)
      mkdirSync(join(home, "zz"))
      // A mount in the folder can't be put aside.
      const mounts = `${MOUNTED} && mount --bind "$1/zz" "$1/zz"`
      const failed = restore(["--replace"], { mounts })
      assert.strictEqual(failed.status, exitCodes.noPlace, failed.stdout)
      assert.match(failed.stderr, /^agent-console: couldn't put the restored files in the place of those in [^\n]+\n$/)
      assert.sameMembers(readdirSync(home), ["version", "uploads", "zz"])
      assert.strictEqual(readFileSync(join(home, "version"), "utf8"), "old")
    })
  )

  it.live(
    "that is killed at any of its steps leaves the old files or the new ones after the next start",
    () =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        for (let step = 1; step <= MOST_STEPS; step += 1) {
          const { directory, home, restore } = yield* place
          fill(home)
          const ended = restore(["--replace"], { dieAt: step })
          const wasMixed = asideIn(home).some((name) => name.startsWith(".restore-"))
          if (wasMixed || ended.status === 0) {
            const variables = { SVC_HOME: home, PORT: "0", GATEWAY_URL: "http://127.0.0.1:1", GATEWAY_TOKEN: "x" }
            // It prepares the folder as a start does.
            yield* runConsole({ directory, args: ["export", join(directory, "board.json")], variables })
          }
          const version = readFileSync(join(home, "version"), "utf8")
          seen.push(`${step} ${ended.status ?? ended.signal} ${wasMixed ? "mixed " : ""}${version}`)
          assert.isFalse(
            asideIn(home).some((name) => name.startsWith(".restore-")),
            seen.at(-1)
          )
          if (version === "new") {
            assert.includeMembers(shown(home), ["version", "uploads", "restored"])
            assert.deepStrictEqual(readdirSync(join(home, "uploads")), ["new"])
          } else {
            assert.deepStrictEqual(readdirSync(join(home, "uploads")), ["old"])
            assert.isFalse(existsSync(join(home, "restored")))
          }
          if (ended.status === 0) break
          assert.strictEqual(ended.signal, "SIGKILL", ended.stderr)
        }
        for (const one of [/mixed old$/, /mixed new$/, / 0 new$/]) {
          assert.isTrue(
            seen.some((line) => one.test(line)),
            `${one}: ${seen.join("\n")}`
          )
        }
      }),
    600_000
  )
})
