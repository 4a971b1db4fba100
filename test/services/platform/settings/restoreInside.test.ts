import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { contentOf, finishInside, replaceInside } from "../../../../src/services/platform/settings/restoreInside.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"

const STAMP = "20260101-000000"

const write = (folder: string, text: string, ...names: ReadonlyArray<string>) => {
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), text)
}
const read = (folder: string) =>
  Object.fromEntries(contentOf(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))

describe("a folder that is restored in itself", () => {
  it.effect("has the new files, and the old ones aside", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      write(folder, "old", "a", "b")
      write(join(folder, ".unfinished-1-x"), "new", "b", "c")
      const aside = replaceInside(folder, join(folder, ".unfinished-1-x"), STAMP)
      assert.strictEqual(aside, join(folder, `.before-${STAMP}`))
      assert.deepStrictEqual(read(folder), { b: "new", c: "new" })
      assert.deepStrictEqual(read(aside ?? ""), { a: "old", b: "old" })
      assert.isUndefined(finishInside(folder))
    })
  )

  it.effect("never takes what was put aside earlier for its own", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      write(folder, "old", "a")
      write(join(folder, `.before-${STAMP}`), "older", "a")
      write(join(folder, ".unfinished-1-x"), "new", "a")
      assert.throws(() => replaceInside(folder, join(folder, ".unfinished-1-x"), STAMP))
      assert.isUndefined(finishInside(folder))
      assert.deepStrictEqual(read(folder), { a: "old" })
      assert.deepStrictEqual(read(join(folder, `.before-${STAMP}`)), { a: "older" })
    })
  )

  it.effect("gets its old files back while they are put aside, and the new ones afterwards", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      write(folder, "old", "b")
      write(join(folder, `.before-${STAMP}`), "old", "a")
      write(join(folder, `.restore-ready-${STAMP}`), "new", "a")
      assert.strictEqual(finishInside(folder), "old")
      assert.deepStrictEqual(read(folder), { a: "old", b: "old" })
      assert.sameMembers(readdirSync(folder), ["a", "b"])

      write(join(folder, `.before-${STAMP}`), "old", "a", "b")
      write(folder, "new", "a")
      write(join(folder, `.restore-moving-${STAMP}`), "new", "b")
      assert.strictEqual(finishInside(folder), "new")
      assert.sameMembers(readdirSync(folder), ["a", "b", `.before-${STAMP}`])
      assert.strictEqual(read(folder).b, "new")
    })
  )
})
