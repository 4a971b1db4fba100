import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { restoreBackup } from "../../../../src/services/machine/backup/restoreBackup.ts"
import { holdHome, prepareHome } from "../../../../src/services/platform/settings/consoleHome.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"
import { writeArchive } from "../../../support/tarArchive.ts"

const FILES = [
  { path: "svc/gateways.json", text: "[]" },
  { path: `svc/uploads/${"d".repeat(60)}/f`, text: "long" },
  { path: "settings/.env", text: "PORT=1\n" },
  { path: "gateway/workspace/MEMORY.md", text: "# M\n" }
]

const place = Effect.gen(function* () {
  const folder = yield* temporaryDirectory
  const file = join(folder, "a.tar.gz")
  writeArchive(file, FILES)
  const home = join(folder, "home")
  const restore = (replace = false, into = home) => restoreBackup(file, { into, replace })
  return { folder, file, home, restore }
})

const isRestored = (home: string) => {
  assert.strictEqual(readFileSync(join(home, "gateways.json"), "utf8"), "[]")
  assert.strictEqual(readFileSync(join(home, "restored/settings/.env"), "utf8"), "PORT=1\n")
  assert.strictEqual(readFileSync(join(home, "restored/gateway/workspace/MEMORY.md"), "utf8"), "# M\n")
  assert.strictEqual(statSync(home).mode & 0o777, 0o700)
  assert.strictEqual(statSync(join(home, "uploads")).mode & 0o777, 0o700)
  assert.strictEqual(statSync(join(home, "gateways.json")).mode & 0o777, 0o600)
}

const fill = (home: string) => {
  mkdirSync(home)
  writeFileSync(join(home, "mine"), "old")
}

describe("a restore", () => {
  it.effect("makes a folder that isn't there or is empty what the archive holds", () =>
    Effect.gen(function* () {
      const { folder, home, restore } = yield* place
      yield* restore()
      isRestored(home)
      const other = join(folder, "deeper/other")
      mkdirSync(other, { recursive: true })
      yield* restore(false, other)
      isRestored(other)
      assert.sameMembers(readdirSync(folder), ["a.tar.gz", "home", "deeper"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("leaves a file and a folder with something in it alone", () =>
    Effect.gen(function* () {
      const { folder, home, restore } = yield* place
      fill(home)
      const refused = yield* Effect.flip(restore())
      assert.strictEqual(refused.reason, "place")
      assert.deepStrictEqual(readdirSync(home), ["mine"])
      const onFile = yield* Effect.flip(restore(true, join(home, "mine")))
      assert.strictEqual(onFile.reason, "place")
      assert.sameMembers(readdirSync(folder), ["a.tar.gz", "home"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("puts the old folder aside, also behind a link", () =>
    Effect.gen(function* () {
      const { folder, home, restore } = yield* place
      fill(home)
      const link = join(folder, "link")
      symlinkSync("home", link)
      const { aside } = yield* restore(true, link)
      isRestored(home)
      assert.match(aside ?? "", /\/home\.before-\d{8}-\d{6}$/)
      assert.strictEqual(readFileSync(join(aside ?? "", "mine"), "utf8"), "old")
      assert.strictEqual(readFileSync(join(link, "gateways.json"), "utf8"), "[]")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("leaves the folder of a running console alone, by whatever name", () =>
    Effect.gen(function* () {
      const { file, folder, home, restore } = yield* place
      fill(home)
      symlinkSync("home", join(folder, "link"))
      yield* holdHome(home, folder)
      // The system's locks don't keep a process from its own, so only another one sees it; here the order is the subject.
      writeFileSync(file, "damaged")
      assert.strictEqual((yield* Effect.flip(restore(true))).reason, "damaged")
      assert.isTrue(existsSync(join(home, "mine")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("that was cut off between its renames is undone by the next start and the next restore", () =>
    Effect.gen(function* () {
      const { folder, home, restore } = yield* place
      fill(`${home}.before-20260101-000000`)
      mkdirSync(`${home}.before-20250101-000000`)
      mkdirSync(`${home}.unfinished-999999999-ab`)
      assert.strictEqual((yield* Effect.flip(restore())).reason, "place")
      assert.deepStrictEqual(readdirSync(home), ["mine"])
      yield* restore(true)
      isRestored(home)
      assert.isFalse(existsSync(`${home}.unfinished-999999999-ab`))

      const other = join(folder, "other")
      fill(`${other}.before-20260101-000000`)
      yield* prepareHome(other, folder)
      assert.deepStrictEqual(readdirSync(other), ["mine"])
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
