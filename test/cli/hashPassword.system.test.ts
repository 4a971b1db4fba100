import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { parsePasswordHash, verifyPassword } from "../../src/services/access/auth/passwordHash.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

const fits = (output: string, password: string) =>
  Effect.flatMap(Effect.fromOption(parsePasswordHash(output.trim())), (hash) => verifyPassword(password, hash))

it.live("hash-password reads stdin and prints nothing but the hash", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const ended = yield* runConsole({ directory, args: ["hash-password"], input: "grüße 🔑 \n" })
    assert.strictEqual(ended.code, exitCodes.ok)
    assert.strictEqual(ended.stderr, "")
    assert.isTrue(yield* fits(ended.stdout, "grüße 🔑 "))
  })
)

it.live("an empty password is refused", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const ended = yield* runConsole({ directory, args: ["hash-password"], input: "\n" })
    assert.strictEqual(ended.code, exitCodes.usage)
    assert.match(ended.stderr, /^agent-console: the password is empty[^\n]+\n$/)
  })
)

const SCRIPT = "/usr/bin/script"
const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const DEFINES = new URL("../support/sourceDefines.mjs", import.meta.url).href

/** `hash-password > hash` on a terminal of its own, with what is typed at each question. */
const onTerminal = (directory: string, answers: ReadonlyArray<readonly [question: string, typed: string]>) =>
  Effect.callback<{ readonly code: number | null; readonly shown: string }>((resume) => {
    const command = `${process.execPath} --import ${DEFINES} ${MAIN} hash-password > hash`
    const child = spawn(SCRIPT, ["-qec", command, "/dev/null"], { cwd: directory, stdio: "pipe" })
    const left = [...answers]
    let shown = ""
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk
      const next = left[0]
      if (next === undefined || !shown.includes(next[0])) return
      left.shift()
      child.stdin.write(next[1])
    })
    child.on("close", (code) => resume(Effect.succeed({ code, shown })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe.skipIf(!existsSync(SCRIPT))(`hash-password on a terminal (needs ${SCRIPT})`, () => {
  it.live("asks twice, shows nothing of the password, and leaves stdout to the hash", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { code, shown } = yield* onTerminal(directory, [
        ["Password", "correct horsx\u007fe\r"],
        ["Repeat it", "correct horsx\u007fe\r"]
      ])
      assert.strictEqual(code, exitCodes.ok, shown)
      for (const secret of ["horse", "orsx"]) assert.notInclude(shown, secret)
      const hash = readFileSync(join(directory, "hash"), "utf8")
      assert.match(hash, /^[0-9a-f]{64}:[0-9a-f]{128}\n$/)
      assert.isTrue(yield* fits(hash, "correct horse"))
    })
  )

  it.live("ends with 130 at Ctrl-C and prints nothing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { code, shown } = yield* onTerminal(directory, [["Password", "half\u0003"]])
      assert.strictEqual(code, exitCodes.interrupted, shown)
      assert.notInclude(shown, "half")
      assert.strictEqual(readFileSync(join(directory, "hash"), "utf8"), "")
    })
  )
})
