import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result, Schema } from "effect"
import { groupCommit } from "../../../../src/services/platform/sqlite/groupCommit.ts"
import { openSqlite } from "../../../../src/services/platform/sqlite/openSqlite.ts"
import { type SqliteShape, StoreError } from "../../../../src/services/platform/sqlite/Sqlite.ts"

const makeWorld = Effect.gen(function* () {
  const sqlite = yield* openSqlite({
    path: ":memory:",
    what: "the notes' file",
    migrations: ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT"],
    onDamage: "fail"
  })
  const told: Array<string> = []
  let commits = 0
  let faults = 0
  const transaction: SqliteShape["transaction"] = (body) =>
    Effect.suspend(() => {
      commits += 1
      return faults-- > 0
        ? Effect.fail(new StoreError({ reason: "disk_full", message: "the disk is full" }))
        : sqlite.transaction(body)
    })
  const grouped = groupCommit({ transaction })
  const tell = (text: string) => Effect.sync(() => void told.push(text))
  const insert = (text: string) => `INSERT INTO notes (text) VALUES ('${text}')`
  return {
    told,
    commits: () => commits,
    failNext: (times: number) => {
      faults = times
    },
    grouped,
    add: (text: string) =>
      grouped((db) => {
        db.run(insert(text))
        return Result.succeed(text)
      }, tell),
    /** Writes, and then finds that it may not. */
    refuse: (text: string) =>
      grouped((db) => {
        db.run(insert(text))
        return Result.fail("refused")
      }, tell),
    notes: sqlite.read((db) =>
      Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ text: Schema.String })))(
        db.all("SELECT text FROM notes ORDER BY id")
      ).map((row) => row.text)
    )
  }
})

const atOnce = <A, E>(changes: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(changes.map(Effect.result), { concurrency: "unbounded" })

describe("changes that wait at the same moment", () => {
  it.live("share one commit, and are published in order", () =>
    Effect.gen(function* () {
      const { add, commits, notes, told } = yield* makeWorld
      const texts = Array.from({ length: 20 }, (_, number) => `note ${number}`)
      const answers = yield* atOnce(texts.map(add))
      assert.deepStrictEqual(answers.map(Result.getOrThrow), texts)
      assert.strictEqual(commits(), 1)
      assert.deepStrictEqual(yield* notes, texts)
      assert.deepStrictEqual(told, texts)
    })
  )

  it.live("fail one by one: what a refused one wrote is undone, and the others stay", () =>
    Effect.gen(function* () {
      const { add, commits, notes, refuse, told } = yield* makeWorld
      const answers = yield* atOnce<string, unknown>([add("one"), refuse("two"), add("three")])
      assert.deepStrictEqual(answers.map(Result.isSuccess), [true, false, true])
      assert.deepStrictEqual(answers[1], Result.fail("refused"))
      assert.strictEqual(commits(), 1)
      assert.deepStrictEqual(yield* notes, ["one", "three"])
      assert.deepStrictEqual(told, ["one", "three"])
    })
  )

  it.live("don't suffer from one the database refuses", () =>
    Effect.gen(function* () {
      const { add, notes, told } = yield* makeWorld
      const answers = yield* atOnce([add("one"), add("one"), add("two")])
      assert.deepStrictEqual(answers.map(Result.isSuccess), [true, false, true])
      assert.deepStrictEqual(yield* notes, ["one", "two"])
      assert.deepStrictEqual(told, ["one", "two"])
    })
  )

  it.live("are all refused while nothing can be saved, and later ones are saved again", () =>
    Effect.gen(function* () {
      const { add, commits, failNext, notes, told } = yield* makeWorld
      failNext(1)
      const answers = yield* atOnce([add("one"), add("two"), add("three")])
      assert.deepStrictEqual(answers.map(Result.isSuccess), [false, false, false])
      assert.deepStrictEqual(told, [])
      // A database that another program holds makes each try wait for seconds.
      assert.strictEqual(commits(), 1)
      yield* add("four")
      assert.deepStrictEqual(yield* notes, ["four"])
    })
  )

  it.live("are saved and answered though the first of them is interrupted", () =>
    Effect.gen(function* () {
      const { add, notes } = yield* makeWorld
      const first = yield* Effect.forkChild(add("one"), { startImmediately: true })
      const second = yield* Effect.forkChild(add("two"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      assert.strictEqual(yield* Fiber.join(second), "two")
      assert.deepStrictEqual(yield* notes, ["one", "two"])
    })
  )

  it.live("are answered though telling of one of them fails", () =>
    Effect.gen(function* () {
      const { add, grouped, notes } = yield* makeWorld
      const untold = grouped(
        (db) => Result.succeed(db.run("INSERT INTO notes (text) VALUES ('untold')")),
        () => Effect.die(new Error("nobody listens"))
      )
      const [failed, done] = yield* Effect.all([Effect.exit(untold), Effect.exit(add("one"))], {
        concurrency: "unbounded"
      })
      assert.strictEqual(failed._tag, "Failure")
      assert.strictEqual(done._tag, "Success")
      assert.deepStrictEqual(yield* notes, ["untold", "one"])
    })
  )
})
