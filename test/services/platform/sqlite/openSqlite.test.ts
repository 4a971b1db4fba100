import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Result, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
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

/** Another program that writes until it's stopped. */
const otherWriter = (path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const db = new DatabaseSync(path)
      db.exec("BEGIN IMMEDIATE; INSERT INTO notes (text) VALUES ('its own')")
      return db
    }),
    (db) => Effect.sync(() => db.close())
  )

describe("while another program writes", () => {
  it.live("only transactions wait, in their order, and everything else goes on", () =>
    Effect.gen(function* () {
      const path = join(yield* freshFolder, "console.db")
      const sqlite = yield* open(path)
      const other = yield* otherWriter(path)
      const writing = yield* Effect.forEach(
        ["one", "two", "three"],
        (text) => Effect.forkChild(add(sqlite, text), { startImmediately: true }),
        {}
      )
      assert.deepStrictEqual(yield* notes(sqlite), [])
      yield* Effect.sleep("100 millis")
      assert.isTrue(writing.every((fiber) => fiber.pollUnsafe() === undefined))
      other.exec("COMMIT")
      yield* Fiber.joinAll(writing)
      assert.deepStrictEqual(yield* notes(sqlite), ["its own", "one", "two", "three"])
      // Nothing is left behind that would hold up what comes later.
      yield* add(sqlite, "four")
    }).pipe(Effect.scoped)
  )

  it.effect("for long, they fail with a sentence after 5 s, each by itself", () =>
    Effect.gen(function* () {
      const path = join(yield* freshFolder, "console.db")
      const sqlite = yield* open(path)
      const other = yield* otherWriter(path)
      const writing = yield* Effect.forEach(["one", "two"], (text) =>
        Effect.forkChild(Effect.result(add(sqlite, text)), { startImmediately: true })
      )
      yield* TestClock.adjust("4900 millis")
      assert.isTrue(writing.every((fiber) => fiber.pollUnsafe() === undefined))
      yield* TestClock.adjust("200 millis")
      for (const outcome of yield* Fiber.joinAll(writing)) {
        assert.deepInclude(Result.isFailure(outcome) ? outcome.failure : {}, {
          reason: "busy",
          message: "another program is using the notes' file: try again in a moment"
        })
      }
      other.exec("ROLLBACK")
      yield* add(sqlite, "three")
      assert.deepStrictEqual(yield* notes(sqlite), ["three"])
    }).pipe(Effect.scoped)
  )
})

describe("a file that is replaced while it's open", () => {
  const replaceWith = (path: string, replace: (path: string) => void) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const sqlite = yield* Scope.provide(open(path), scope)
      yield* add(sqlite, "one")
      replace(path)
      const refused = yield* Effect.flip(add(sqlite, "lost"))
      assert.deepInclude(refused, {
        reason: "unavailable",
        message:
          "the notes' file was replaced or removed while the console was running: start the console again to use the one that's there now"
      })
      return { sqlite, close: Scope.close(scope, Exit.void) }
    })

  it.effect("takes no changes any more, says so, and the new one is whole", () =>
    Effect.gen(function* () {
      const path = join(yield* freshFolder, "console.db")
      yield* life(path, (sqlite) => add(sqlite, "of the copy"))
      copyFileSync(path, `${path}.copy`)
      const { sqlite, close } = yield* replaceWith(path, () => renameSync(`${path}.copy`, path))
      assert.strictEqual((yield* Effect.flip(sqlite.replaced)).reason, "unavailable")
      yield* close
      assert.deepStrictEqual(yield* life(path, notes), ["of the copy"])
    })
  )

  it.effect("by nothing, or whose log was removed, takes none either, until it's back", () =>
    Effect.gen(function* () {
      for (const side of ["", "-wal"]) {
        const path = join(yield* freshFolder, "console.db")
        const { sqlite, close } = yield* replaceWith(path, () => renameSync(`${path}${side}`, `${path}${side}.away`))
        renameSync(`${path}${side}.away`, `${path}${side}`)
        yield* add(sqlite, "two")
        assert.deepStrictEqual(yield* notes(sqlite), ["one", "two"])
        yield* close
      }
    })
  )
})
