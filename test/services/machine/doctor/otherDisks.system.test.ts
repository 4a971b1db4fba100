import { chmodSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../../../src/cli/exitCodes.ts"
import { lookAtWorkspace } from "../../../../src/services/machine/doctor/lookAtFolders.ts"
import { hasBindfs, throughFuse } from "../../../support/otherDisks.ts"
import { addressOf, printed } from "../../../support/printed.ts"
import { runConsole, startConsole } from "../../../support/runConsole.ts"

const VARIABLES = { PORT: "0", GATEWAY_TOKEN: "x", GATEWAY_URL: "http://127.0.0.1:1" }

describe.runIf(hasBindfs)("a file system that isn't a disk's own", () => {
  it.live("without shared memory is named by the start and by the doctor", () =>
    Effect.gen(function* () {
      const { directory, seen } = yield* throughFuse("-o", "direct_io")
      const variables = { ...VARIABLES, SVC_HOME: seen }
      const told = "can't be on this file system (FUSE), which has no memory that programs share"
      const started = yield* runConsole({ directory, variables })
      assert.strictEqual(started.code, exitCodes.board)
      assert.match(started.stderr, /^agent-console: [^\n]+\n$/)
      assert.include(started.stderr, told)
      assert.include(started.stdout, "database: disk I/O error (5386)")
      const examined = yield* runConsole({ directory, args: ["doctor"], variables })
      assert.strictEqual(examined.code, exitCodes.unwell, examined.stderr)
      assert.match(
        examined.stdout,
        /^✗ Console's folder +The console's database can't be on this file system \(FUSE\)/m
      )
      assert.notInclude(examined.stdout, seen)
    })
  )

  it.live("that refuses permissions is used, with a warning by the start and by the doctor", () =>
    Effect.gen(function* () {
      const { directory, folder, seen } = yield* throughFuse("--chmod-deny")
      chmodSync(folder, 0o777)
      const variables = { ...VARIABLES, SVC_HOME: seen }
      const running = yield* startConsole({ directory, variables })
      yield* printed(
        running,
        /WARN .*others may be able to read the console's folder: its file system has no permissions/
      )
      yield* addressOf(running)
      const examined = yield* runConsole({ directory, args: ["doctor"], variables })
      assert.match(examined.stdout, /^! Console's folder +Writable, but its file system has no permissions/m)
    })
  )

  it.live("reports only changes made on this machine, which the doctor says about a workspace", () =>
    Effect.gen(function* () {
      const { folder, seen } = yield* throughFuse()
      assert.deepStrictEqual(yield* lookAtWorkspace(seen), { missed: "remote", fileSystem: "FUSE" })
      assert.deepStrictEqual((yield* lookAtWorkspace(folder)).missed, undefined)
    })
  )
})
