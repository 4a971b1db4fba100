import { fdatasync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { LOG_BYTES } from "../../../../src/services/platform/sqlite/openDatabase.ts"
import { openSqlite } from "../../../../src/services/platform/sqlite/openSqlite.ts"
import { numberIn } from "../../../../src/services/platform/sqlite/rowGuards.ts"
import type { SqliteShape } from "../../../../src/services/platform/sqlite/Sqlite.ts"
import { DiskSync, type SyncFile } from "../../../../src/services/platform/sqlite/syncedLog.ts"

const MIGRATIONS = ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"]

const freshPath = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-sync-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "console.db")
)

const open = (path: string, syncFile: SyncFile = fdatasync) =>
  openSqlite({ path, what: "the notes' file", migrations: MIGRATIONS, onDamage: "fail" }).pipe(
    Effect.provideService(DiskSync, syncFile)
  )

const add = (sqlite: SqliteShape, text: string) =>
  sqlite.transaction((db) => Result.succeed(db.run("INSERT INTO notes (text) VALUES (?)", text)))

const count = (sqlite: SqliteShape) => sqlite.read((db) => numberIn(db.rows("SELECT count(*) FROM notes")))

/** A disk whose syncs end when the test says so. */
const slowDisk = () => {
  const syncs: Array<() => void> = []
  let isSlow = true
  const syncFile: SyncFile = (file, done) => {
    if (isSlow) syncs.push(() => fdatasync(file, done))
    else fdatasync(file, done)
  }
  const end = () => {
    isSlow = false
    for (const sync of syncs.splice(0)) sync()
  }
  return { syncs, syncFile, end }
}

const failing = (failures: number): SyncFile => {
  let left = failures
  return (file, done) => {
    left -= 1
    if (left < 0) fdatasync(file, done)
    else setImmediate(() => done(new Error("EIO: i/o error, fdatasync")))
  }
}

describe("a disk on which a sync takes long", () => {
  it.live("holds up only those who wait for it, who share one", () =>
    Effect.gen(function* () {
      const disk = slowDisk()
      const sqlite = yield* open(yield* freshPath, disk.syncFile)
      const first = yield* Effect.forkChild(add(sqlite, "one"), { startImmediately: true })
      const others = yield* Effect.forEach(["two", "three"], (text) =>
        Effect.forkChild(add(sqlite, text), { startImmediately: true })
      )
      yield* Effect.sleep("50 millis")
      assert.strictEqual(yield* count(sqlite), 3)
      assert.isTrue([first, ...others].every((fiber) => fiber.pollUnsafe() === undefined))
      assert.lengthOf(disk.syncs, 1)
      disk.syncs.shift()?.()
      yield* Fiber.join(first)
      yield* Effect.sleep("50 millis")
      assert.isTrue(others.every((fiber) => fiber.pollUnsafe() === undefined))
      assert.lengthOf(disk.syncs, 1)
      disk.end()
      yield* Fiber.joinAll(others)
    }).pipe(Effect.scoped)
  )

  it.live("isn't waited for by what failed and changed nothing", () =>
    Effect.gen(function* () {
      const disk = slowDisk()
      const sqlite = yield* open(yield* freshPath, disk.syncFile)
      assert.strictEqual(yield* Effect.flip(sqlite.transaction(() => Result.fail("no"))), "no")
      assert.lengthOf(disk.syncs, 0)
      disk.end()
    }).pipe(Effect.scoped)
  )
})

describe("a sync that fails", () => {
  it.live("is made up for by bringing the log into the database", () =>
    Effect.gen(function* () {
      const path = yield* freshPath
      const sqlite = yield* open(path, failing(1))
      yield* add(sqlite, "one")
      // What others' logs would be after a power cut plays no part: the file alone has it.
      const alone = new DatabaseSync(`file:${path}?immutable=1`, { readOnly: true })
      assert.deepStrictEqual({ ...alone.prepare("SELECT count(*) AS n FROM notes").get() }, { n: 1 })
      alone.close()
      yield* add(sqlite, "two")
    }).pipe(Effect.scoped)
  )

  it.live("refuses the change with a sentence if that can't be done, and later ones until it can", () =>
    Effect.gen(function* () {
      const path = yield* freshPath
      const sqlite = yield* open(path, failing(1))
      const reader = new DatabaseSync(path)
      reader.exec("BEGIN; SELECT * FROM notes")
      for (const text of ["one", "two"]) {
        const error = yield* Effect.flip(add(sqlite, text))
        assert.strictEqual(error.reason, "other")
        assert.strictEqual(
          error.message,
          "the disk failed to sync the notes' file, so the change may be lost in a power cut: check the disk, then whether the change is there"
        )
      }
      reader.exec("COMMIT")
      reader.close()
      yield* add(sqlite, "three")
      assert.strictEqual(yield* count(sqlite), 3)
    }).pipe(Effect.scoped)
  )
})

describe("a log that has grown", () => {
  it.live("is brought into the database by a thread, while changes go on", () =>
    Effect.gen(function* () {
      const path = yield* freshPath
      const text = "x".repeat(100_000)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sqlite = yield* open(path)
          yield* Effect.forEach(Array.from({ length: 150 }), () => add(sqlite, text), { concurrency: 4 })
          yield* Effect.sleep("20 millis").pipe(
            Effect.repeat({ while: () => statSync(`${path}-wal`).size > LOG_BYTES, times: 250 })
          )
          assert.isAtMost(statSync(`${path}-wal`).size, LOG_BYTES)
          assert.isAtLeast(statSync(path).size, 100 * text.length)
          yield* add(sqlite, "after")
        })
      )
      assert.strictEqual(yield* Effect.scoped(Effect.flatMap(open(path), count)), 151)
    }).pipe(Effect.scoped)
  )
})
