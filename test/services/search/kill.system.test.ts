import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { SearchIndex, SearchPage } from "../../../src/contract/schema/search.ts"
import { consoleAddress } from "../../support/consoleAddress.ts"
import { startConsole, temporaryDirectory } from "../../support/runConsole.ts"
import { answerLine, lines, sessionsFolder, write } from "../../support/transcripts.ts"

const FILES = 40
const EACH = 25
const MESSAGES = FILES * EACH
const AT = Date.parse("2026-11-20T10:00:00.000Z")
/** Words enough that reading all of it takes a while. */
const FILLER = Array.from({ length: 700 }, (_, index) => `word${index}`).join(" ")

const decodeIndex = Schema.decodeUnknownEffect(SearchIndex)
const decodePage = Schema.decodeUnknownEffect(SearchPage)

const writeMessages = (folder: string): void => {
  const names: Record<string, object> = {}
  for (let file = 0; file < FILES; file += 1) {
    names[`agent:main:s${file}`] = { sessionId: `s${file}` }
    const messages = Array.from({ length: EACH }, (_, index) => {
      const number = file * EACH + index
      const text = `pump ${number % 20 === 0 ? "valve" : "tap"} ${FILLER}`
      return answerLine({ at: AT + number, text }).replace("01e6350b", `m${number}`)
    })
    write(folder, `s${file}.jsonl`, lines(...messages))
  }
  write(folder, "sessions.json", JSON.stringify(names))
}

const Rows = Schema.Array(Schema.Struct({ key: Schema.String, id: Schema.Int, added: Schema.Int }))

/** The messages in the index of a console that isn't running. */
const rowsOf = (file: string) => {
  const db = new DatabaseSync(file)
  const rows = Schema.decodeUnknownSync(Rows)(db.prepare("SELECT key, id, added FROM entries ORDER BY key").all())
  db.close()
  return rows
}

/** The keys of messages from one number on, in the order of `rowsOf`. */
const keys = Array.from({ length: MESSAGES }, (_, number) => `m${number}`).toSorted()

it.live(
  "after kill -9 in the middle of reading, the index has what it had, reads the rest, and finds exactly what's there",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeMessages(sessionsFolder(join(directory, "gateway")))
      const file = join(directory, "home", "search.db")
      const variables = {
        GATEWAY_TOKEN: "token",
        GATEWAY_URL: "http://127.0.0.1:1",
        GATEWAY_HOME: join(directory, "gateway"),
        SVC_HOME: join(directory, "home"),
        PORT: "0"
      }
      const start = Effect.gen(function* () {
        const running = yield* startConsole({ directory, variables })
        const url = yield* consoleAddress(running)
        const get = (path: string): Effect.Effect<unknown> =>
          Effect.promise(async () => (await fetch(url + path)).json())
        const index = (isIt: (index: SearchIndex) => boolean) =>
          get("/api/search/index").pipe(
            Effect.flatMap(decodeIndex),
            Effect.repeat({ schedule: Schedule.spaced("150 millis"), until: isIt })
          )
        return { running, get, index }
      })

      const killed = yield* Effect.scoped(
        Effect.gen(function* () {
          const { index, running } = yield* start
          const found = yield* index(({ messages = 0 }) => messages > 0)
          running.child.kill("SIGKILL")
          yield* Effect.promise(() => running.ended)
          return found
        })
      )
      assert.strictEqual(killed.state, "building")
      const { ino } = statSync(file)
      const before = rowsOf(file)
      assert.isAbove(before.length, 0)
      assert.isBelow(before.length, MESSAGES)
      const lastAdded = Math.max(...before.map(({ added }) => added))

      yield* Effect.scoped(
        Effect.gen(function* () {
          const { get, index, running } = yield* start
          yield* index(({ messages, state }) => state === "ready" && messages === MESSAGES)
          const page = yield* Effect.flatMap(get("/api/search?q=valve&limit=100"), decodePage)
          const wanted = Array.from({ length: MESSAGES / 20 }, (_, number) => `m${(MESSAGES / 20 - 1 - number) * 20}`)
          assert.deepStrictEqual(
            page.hits.map(({ messageId }) => messageId),
            wanted
          )
          assert.isUndefined(page.cursor)
          running.child.kill("SIGTERM")
          yield* Effect.promise(() => running.ended)
        })
      )
      const after = rowsOf(file)
      assert.strictEqual(statSync(file).ino, ino)
      assert.deepStrictEqual(
        after.map(({ key }) => key),
        keys
      )
      const there = new Set(before.map(({ key }) => key))
      assert.deepStrictEqual(
        after.filter(({ key }) => there.has(key)),
        before
      )
      assert.isTrue(after.every(({ added, key }) => there.has(key) || added > lastAdded))
    }).pipe(Effect.scoped),
  120_000
)
