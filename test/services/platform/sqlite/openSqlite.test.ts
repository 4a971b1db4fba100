import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Result, Schema, Scope } from "effect"
import { openSqlite } from "../../../../src/services/platform/sqlite/openSqlite.ts"
import type { SqliteShape } from "../../../../src/services/platform/sqlite/Sqlite.ts"

const MIGRATIONS = ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"]

const freshFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-sqlite-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const open = (path: string, migrations: ReadonlyArray<string> = MIGRATIONS) =>
  openSqlite({ path, what: "the notes' file", migrations, onDamage: "setAside" })

const add = (sqlite: SqliteShape, text: string) =>
  sqlite.transaction((db) => Result.succeed(db.run("INSERT INTO notes (text) VALUES (?)", text)))

const notes = (sqlite: SqliteShape) =>
  sqlite.read((db) =>
    Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ text: Schema.String })))(
      db.all("SELECT text FROM notes ORDER BY id")
    ).map((row) => row.text)
  )

/** Opens, does something and closes again, as one life of the program. */
const life = <A, E>(path: string, body: (sqlite: SqliteShape) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(open(path), body))

describe("the database file", () => {
  it.effect("is made with its folder, readable by its owner alone, and keeps what was written", () =>
    Effect.gen(function* () {
      const folder = join(yield* freshFolder, "home")
      const path = join(folder, "console.db")
      yield* life(path, (sqlite) => add(sqlite, "one"))
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      assert.deepStrictEqual(yield* life(path, notes), ["one"])
      assert.isFalse(existsSync(`${path}-wal`))
    })
  )

  it.effect("that is damaged is set aside with the time, and a fresh one is made", () =>
    Effect.gen(function* () {
      const folder = yield* freshFolder
      const path = join(folder, "console.db")
      writeFileSync(path, "this is no database, it only lies where one should be".repeat(100))
      const damaged = readFileSync(path)
      const aside = yield* life(path, (sqlite) => Effect.as(add(sqlite, "fresh"), sqlite.state.setAside))
      assert.match(aside ?? "", /^console\.db\.damaged-\d{4}-\d\d-\d\dT[\d-]+Z$/)
      assert.deepStrictEqual(readFileSync(join(folder, aside ?? "")), damaged)
      assert.deepStrictEqual(yield* life(path, notes), ["fresh"])
      assert.isUndefined(yield* life(path, (sqlite) => Effect.succeed(sqlite.state.setAside)))
    })
  )

  it.effect("with pages overwritten in the middle counts as damaged", () =>
    Effect.gen(function* () {
      const folder = yield* freshFolder
      const path = join(folder, "console.db")
      yield* life(path, (sqlite) => Effect.andThen(add(sqlite, "a"), add(sqlite, "x".repeat(100_000))))
      const bytes = readFileSync(path)
      bytes.fill(0xa5, 4096, 40_960)
      writeFileSync(path, bytes)
      const aside = yield* life(path, (sqlite) => Effect.succeed(sqlite.state.setAside))
      assert.isDefined(aside)
      assert.lengthOf(
        readdirSync(folder).filter((name) => name.includes("damaged")),
        1
      )
    })
  )

  it.effect("of a newer program is refused with a sentence and left alone", () =>
    Effect.gen(function* () {
      const path = join(yield* freshFolder, "console.db")
      yield* Effect.scoped(open(path, [...MIGRATIONS, "CREATE TABLE later (id INTEGER) STRICT"]))
      const error = yield* Effect.flip(Effect.scoped(open(path)))
      assert.strictEqual(error.reason, "newer")
      assert.include(error.message, "newer version of Agent Console")
    })
  )

  it.effect("of an older program is brought up to date once", () =>
    Effect.gen(function* () {
      const path = join(yield* freshFolder, "console.db")
      yield* life(path, (sqlite) => add(sqlite, "kept"))
      const newer = [...MIGRATIONS, "ALTER TABLE notes ADD COLUMN done INTEGER NOT NULL DEFAULT 0"]
      for (let start = 0; start < 2; start += 1) {
        const rows = yield* Effect.scoped(
          Effect.flatMap(open(path, newer), (sqlite) => sqlite.read((db) => db.all("SELECT text, done FROM notes")))
        )
        assert.deepStrictEqual(
          rows.map((row) => Object.assign({}, row)),
          [{ text: "kept", done: 0 }]
        )
      }
    })
  )
})

describe("a transaction", () => {
  it.effect("that fails or throws leaves everything as it was", () =>
    Effect.gen(function* () {
      const sqlite = yield* open(":memory:")
      yield* add(sqlite, "one")
      const failed = yield* Effect.flip(
        sqlite.transaction((db) => {
          db.run("INSERT INTO notes (text) VALUES ('two')")
          return Result.fail("no")
        })
      )
      assert.strictEqual(failed, "no")
      const thrown = yield* Effect.exit(
        sqlite.transaction((db) => {
          db.run("INSERT INTO notes (text) VALUES ('three')")
          return Result.succeed(db.run("INSERT INTO nowhere VALUES (1)"))
        })
      )
      assert.isTrue(Exit.isFailure(thrown))
      assert.deepStrictEqual(yield* notes(sqlite), ["one"])
    })
  )

  it.effect("on a full disk fails with a sentence, keeps the old state, and works again when there is room", () =>
    Effect.gen(function* () {
      const path = join(yield* freshFolder, "console.db")
      const scope = yield* Scope.make()
      const sqlite = yield* open(path).pipe(Scope.provide(scope))
      yield* add(sqlite, "one")
      const limit = (pages: number) => sqlite.read((db) => db.get(`PRAGMA max_page_count = ${pages}`))
      yield* limit(1)
      const error = yield* Effect.flip(add(sqlite, "x".repeat(100_000)))
      assert.strictEqual(error.reason, "disk_full")
      assert.include(error.message, "the disk is full")
      assert.notInclude(error.message, path)
      assert.deepStrictEqual(yield* notes(sqlite), ["one"])
      yield* limit(100_000)
      yield* add(sqlite, "two")
      assert.deepStrictEqual(yield* notes(sqlite), ["one", "two"])
      yield* Scope.close(scope, Exit.void)
    })
  )
})
