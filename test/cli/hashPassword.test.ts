import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { applyErase } from "../../src/cli/readSecret.ts"
import { parsePasswordHash, verifyPassword } from "../../src/services/auth/passwordHash.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

const fits = (output: string, password: string) =>
  Effect.flatMap(Effect.fromOption(parsePasswordHash(output.trim())), (hash) => verifyPassword(password, hash))

it.live("hash-password reads stdin and prints nothing but the hash (D20)", () =>
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

it("erase keys take back one character each", () => {
  assert.strictEqual(applyErase("ab\u007fc"), "ac")
  assert.strictEqual(applyErase("a🔑\u007f\u007f\u007fb"), "b")
  assert.strictEqual(applyErase("abc\b\b"), "a")
})

const SCRIPT = "/usr/bin/script"
const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const DEFINES = new URL("../support/sourceDefines.mjs", import.meta.url).href

it.live.skipIf(!existsSync(SCRIPT))(`on a terminal the password is asked twice and not shown (needs ${SCRIPT})`, () =>
  Effect.gen(function* () {
    const output = yield* Effect.callback<string>((resume) => {
      const command = `${process.execPath} --import ${DEFINES} ${MAIN} hash-password`
      const child = spawn(SCRIPT, ["-qec", command, "/dev/null"], { stdio: "pipe" })
      const answers = ["Password: ", "Once more: "]
      let text = ""
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk
        const question = answers[0]
        if (question !== undefined && text.includes(question)) {
          answers.shift()
          child.stdin.write("correct horsx\u007fe\r")
        }
      })
      child.on("close", () => resume(Effect.succeed(text)))
      return Effect.sync(() => child.kill("SIGKILL"))
    })
    assert.notInclude(output, "horse")
    const hash = /[0-9a-f]{64}:[0-9a-f]{128}/.exec(output)?.[0] ?? ""
    assert.isTrue(Option.isSome(parsePasswordHash(hash)), output)
    assert.isTrue(yield* fits(hash, "correct horse"))
  })
)
