import { execFile } from "node:child_process"
import { cpSync, existsSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const DEFINES = new URL("../support/sourceDefines.mjs", import.meta.url).href

describe("where a command's settings come from", () => {
  it.live("the .env beside the program counts, wherever the command is typed", () =>
    Effect.gen(function* () {
      const [program, here] = [yield* temporaryDirectory, yield* temporaryDirectory]
      for (const name of ["src", "package.json"]) cpSync(join(ROOT, name), join(program, name), { recursive: true })
      symlinkSync(join(ROOT, "node_modules"), join(program, "node_modules"))
      writeFileSync(join(program, ".env"), "SVC_HOME=kept\n")
      writeFileSync(join(here, ".env"), "SVC_HOME=taken\n")
      const { stderr, stdout } = yield* Effect.tryPromise(() =>
        promisify(execFile)(process.execPath, [join(program, "src/cli/main.ts"), "export"], {
          cwd: here,
          env: { PATH: process.env.PATH, HOME: here, NODE_OPTIONS: `--import ${DEFINES}` }
        })
      )
      assert.deepStrictEqual(JSON.parse(stdout).tasks, [])
      assert.match(stderr, /^agent-console: \.env in this folder isn't read by this command: [^\n]+\n$/)
      assert.isTrue(existsSync(join(program, "kept", "console.db")))
      assert.isFalse(existsSync(join(here, "taken")))
    })
  )

  it.live("a relative SVC_HOME of the environment is meant from where the command is typed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ended = yield* runConsole({ directory, args: ["export"], variables: { SVC_HOME: "kept" } })
      assert.deepStrictEqual([ended.code, ended.stderr], [exitCodes.ok, ""])
      assert.isTrue(existsSync(join(directory, "kept", "console.db")))
    })
  )
})
