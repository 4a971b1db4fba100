import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { isLoopbackServer, readAccess } from "../../../../src/services/access/local/readAccess.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"

const ADDRESS = "http://127.0.0.1:3080"

const folderWith = Effect.fnUntraced(function* (content: string | object = { address: ADDRESS, secret: "s" }) {
  const home = join(yield* temporaryDirectory, "home")
  mkdirSync(home, { mode: 0o700 })
  const file = join(home, "local-access.json")
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 })
  return { home, file }
})

const refusal = Effect.fnUntraced(function* (home: string) {
  const read = yield* Effect.result(readAccess(home))
  if (Result.isSuccess(read)) return "believed"
  return read.failure._tag === "NoAccess" ? "nobody" : read.failure.message
})

const isRoot = process.getuid?.() === 0
if (!isRoot) console.log("left out: the access file of another user, because only root can make one")

describe("a console's access file", () => {
  it.live("is believed as the console writes it, with and without the process", () =>
    Effect.gen(function* () {
      for (const more of [{}, { pid: process.pid }]) {
        const { home } = yield* folderWith({ address: ADDRESS, secret: "s", ...more })
        assert.deepInclude(yield* readAccess(home), { address: ADDRESS, secret: "s" })
      }
    })
  )

  it.live("is believed in no other mode, and in no folder that others can write to", () =>
    Effect.gen(function* () {
      const { file, home } = yield* folderWith()
      for (const mode of [0o644, 0o640, 0o620, 0o604, 0o602, 0o666, 0o700, 0o400]) {
        chmodSync(file, mode)
        const said = yield* refusal(home)
        // Only root can read a file without the right to.
        assert.match(said, /isn't readable and writable by its user alone|can't be read/)
      }
      chmodSync(file, 0o600)
      for (const mode of [0o770, 0o702, 0o777, 0o1777]) {
        chmodSync(home, mode)
        assert.include(yield* refusal(home), "is in a folder that other users can write to")
      }
      chmodSync(home, 0o755)
      assert.strictEqual(yield* refusal(home), "believed")
    })
  )

  it.live("is believed as nothing but a regular file", () =>
    Effect.gen(function* () {
      const { file, home } = yield* folderWith()
      renameSync(file, `${file}.good`)
      assert.strictEqual(yield* refusal(home), "nobody")
      symlinkSync(`${file}.good`, file)
      assert.include(yield* refusal(home), "is a symbolic link")
      const other = yield* folderWith()
      renameSync(other.file, `${other.file}.good`)
      mkdirSync(other.file)
      assert.include(yield* refusal(other.home), "isn't a regular file")
      assert.strictEqual(yield* refusal(join(other.home, "nowhere")), "nobody")
      assert.include(yield* refusal(`${file}.good`), "isn't in a folder")
    })
  )

  it.live("is damaged if it's too long, not JSON or without a secret", () =>
    Effect.gen(function* () {
      for (const content of ["", "{", { address: ADDRESS }, { address: ADDRESS, secret: "s".repeat(5000) }]) {
        assert.include(yield* refusal((yield* folderWith(content)).home), "is damaged: restart the console")
      }
    })
  )

  it.live("of a process that has ended is nobody's", () =>
    Effect.gen(function* () {
      // Larger than any process number of Linux or macOS.
      const { home } = yield* folderWith({ address: ADDRESS, secret: "s", pid: 2 ** 30 })
      assert.strictEqual(yield* refusal(home), "nobody")
    })
  )

  it.live.skipIf(!isRoot)("of another user isn't believed, nor in another user's folder (needs root)", () =>
    Effect.gen(function* () {
      const { file, home } = yield* folderWith()
      chownSync(file, 65_534, 65_534)
      assert.include(yield* refusal(home), "belongs to another user")
      chownSync(file, 0, 0)
      chownSync(home, 65_534, 65_534)
      assert.include(yield* refusal(home), "is in a folder of another user")
    })
  )

  it("names an address of this machine's loopback, in numbers and in no other spelling", () => {
    for (const address of ["http://127.0.0.1:3080", "http://127.0.0.1", "http://127.1.2.3:1", "http://[::1]:3080"]) {
      assert.isTrue(isLoopbackServer(address), address)
    }
    for (const address of [
      "http://192.0.2.1:3080",
      "http://0.0.0.0:3080",
      "http://[::]:3080",
      "http://localhost:3080",
      `http://${hostname()}:3080`,
      "http://127.0.0.1.example.com:3080",
      "http://127.0.0.1:1@example.com:3080",
      "http://127.0.0.1:3080@example.com",
      "http://example.com#127.0.0.1",
      "http://127.0.0.1:3080/",
      "http://127.0.0.1:3080/elsewhere",
      "http://127.1:3080",
      "http://2130706433:3080",
      "https://127.0.0.1:3080",
      "ftp://127.0.0.1:3080",
      "127.0.0.1:3080",
      ""
    ]) {
      assert.isFalse(isLoopbackServer(address), address)
    }
  })

  it.live("with another address is refused", () =>
    Effect.gen(function* () {
      const { home } = yield* folderWith({ address: "http://192.0.2.1:3080", secret: "s" })
      assert.include(yield* refusal(home), "names an address that isn't on this machine's loopback")
    })
  )
})
