import { rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger, Schedule } from "effect"
import { type IndexUpdater, makeIndexUpdater } from "../../../src/services/search/indexUpdater.ts"
import { parseQuery } from "../../../src/services/search/query/parseQuery.ts"
import { makeSearchThread } from "../../../src/services/search/SearchThread.ts"
import { ANYWHERE, conversation, type SearchEntry } from "../../../src/services/search/searchTypes.ts"
import { damageFile } from "../../support/damageFile.ts"
import { temporaryFolder } from "../../support/fileServices.ts"

const entryOf = (number: number): SearchEntry => ({
  place: conversation("primary", "agent:main:a"),
  key: `m${number}`,
  at: number,
  role: "user",
  text: `pump ${number} ${"of the long greenhouse ".repeat(30)}`,
  stamp: ""
})
const HALVES = [0, 1].map((half) => Array.from({ length: 20 }, (_, index) => entryOf(half * 20 + index)))
const ALL = HALVES.flat()
  .map(({ key }) => key)
  .toSorted()

/** An index of forty messages, which are read in two halves with a wait between them. */
const openIndex = Effect.gen(function* () {
  const file = `${yield* temporaryFolder}/search.db`
  const thread = yield* makeSearchThread(file, Effect.succeed(true), (opened) => updater.opened(opened))
  let looks = 0
  let between: Effect.Effect<void> = Effect.void
  const updater: IndexUpdater = yield* makeIndexUpdater(thread, {
    read: (ask, { onProgress }) =>
      Effect.gen(function* () {
        looks += 1
        yield* ask("put", HALVES[0] ?? [])
        onProgress(0.5)
        yield* Effect.suspend(() => between)
        yield* ask("put", HALVES[1] ?? [])
      })
  })
  const order = { ...ANYWHERE, limit: 100, terms: parseQuery("pump") }
  const find = Effect.map(updater.answer("search", order), ({ finds }) => finds.map(({ key }) => key).toSorted())
  const until = (isIt: (state: Effect.Success<typeof updater.state>) => boolean) =>
    Effect.repeat(updater.state, { schedule: Schedule.spaced("20 millis"), until: isIt })
  return {
    updater,
    find,
    /** Ends the thread, as it does when nobody searches, so that the next question reads the file again. */
    rest: thread.stop,
    file,
    until,
    ready: until(({ state }) => state === "ready"),
    looks: () => looks,
    waitBetween: (wait: Effect.Effect<void>) => {
      between = wait
    }
  }
})

const ofNewerVersion = (file: string): void => {
  const db = new DatabaseSync(file)
  db.exec("PRAGMA user_version = 99")
  db.close()
}

const live = (
  title: string,
  test: (index: Effect.Success<typeof openIndex>) => Effect.Effect<void, { readonly message: string }>
) =>
  it.live(
    title,
    () =>
      openIndex.pipe(
        Effect.flatMap(test),
        Effect.scoped,
        Effect.provide(Layer.merge(NodeServices.layer, Logger.layer([])))
      ),
    60_000
  )

describe("an index that's damaged while the console runs", () => {
  live("is answered for and built again when a search meets it", ({ file, find, looks, ready, rest }) =>
    Effect.gen(function* () {
      yield* ready
      assert.deepStrictEqual(yield* find, ALL)
      yield* rest
      damageFile(file)
      // No failure, although there's nothing yet to answer with.
      yield* find
      yield* Effect.repeat(find, {
        schedule: Schedule.spaced("20 millis"),
        until: (keys) => keys.length === ALL.length
      })
      yield* ready
      assert.deepStrictEqual(yield* find, ALL)
      assert.strictEqual(looks(), 2)
    })
  )

  live("is built again when only a text can't be read any more", ({ file, find, ready, rest }) =>
    Effect.gen(function* () {
      yield* ready
      yield* rest
      const db = new DatabaseSync(file)
      db.exec("UPDATE texts SET body = x'00' WHERE packed = 1")
      db.close()
      yield* find
      yield* Effect.repeat(find, {
        schedule: Schedule.spaced("20 millis"),
        until: (keys) => keys.length === ALL.length
      })
    })
  )

  for (const [name, spoil, anew] of [
    ["damaged", (file: string) => writeFileSync(file, "no database".repeat(500)), "its file was damaged"],
    ["of a newer version", ofNewerVersion, "its file was of a newer version of Agent Console"],
    ["gone", (file: string) => rmSync(file), "its file was gone"]
  ] as const) {
    live(`is built again at once, and says why, when its file is ${name} after nobody searched for a while`, (index) =>
      Effect.gen(function* () {
        const { file, find, ready, rest, until, waitBetween } = index
        yield* ready
        yield* rest
        const goOn = yield* Deferred.make<void>()
        waitBetween(Deferred.await(goOn))
        spoil(file)
        yield* find
        yield* until((now) => now.state === "building" && now.progress === 0.5 && now.anew === anew)
        yield* Deferred.succeed(goOn, undefined)
        yield* ready
        assert.notProperty(yield* index.updater.state, "anew")
        assert.deepStrictEqual(yield* find, ALL)
      })
    )
  }

  live("is whole afterwards, also when that happens while everything is being read", (index) =>
    Effect.gen(function* () {
      const { file, find, updater, looks, ready, rest, until, waitBetween } = index
      const goOn = yield* Deferred.make<void>()
      waitBetween(Deferred.await(goOn))
      yield* until((now) => now.state === "building" && now.progress === 0.5)
      yield* rest
      damageFile(file)
      assert.deepStrictEqual(yield* find, [])
      yield* Deferred.succeed(goOn, undefined)
      yield* ready
      assert.strictEqual(looks(), 2)
      assert.deepStrictEqual(yield* find, ALL)
      assert.isTrue(yield* updater.ask("isComplete"))
    })
  )
})
