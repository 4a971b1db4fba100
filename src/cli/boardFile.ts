import { Console, Context, Effect, FileSystem, Layer, Option, Redacted, References, Schema, SchemaIssue } from "effect"
import { BoardArchive, exportBoard, importBoard, moveBoard } from "../services/board/boardArchive.ts"
import { BoardStore, type BoardStoreShape } from "../services/board/store/BoardStore.ts"
import { SqliteBoard } from "../services/board/store/sqliteBoard.ts"
import { isBoardUrl } from "../services/platform/settings/settingsSchema.ts"
import { readPipedText } from "./ask.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { exitCodes } from "./exitCodes.ts"
import { refuse, withDatabase } from "./withDatabase.ts"

/** A command moves whole boards, and only its user waits for it. */
const PATIENCE_MS = 10 * 60 * 1000

/** A command carries out no runs. */
const COMMAND = { device: "", owner: "command", name: "", gateway: "" }

/** The board in a PostgreSQL database. */
export const boardAt = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { PostgresBoard } = yield* Effect.promise(() => import("../services/board/store/postgresBoard.ts"))
    const store = yield* Layer.build(PostgresBoard({ url, self: COMMAND, patienceMs: PATIENCE_MS }))
    return Context.get(store, BoardStore)
  })

/** The board in the console's own folder. */
export const boardInFolder = Effect.map(Layer.build(SqliteBoard), Context.get(BoardStore))

/** Opens the board where the settings say it is, possibly while a console is running. */
export const withBoard = <A, E, R>(
  use: (store: BoardStoreShape, boardUrl: Redacted.Redacted<string> | undefined) => Effect.Effect<A, E, R>
) =>
  withDatabase(({ boardUrl }) =>
    Effect.flatMap(boardUrl === undefined ? boardInFolder : boardAt(boardUrl), (store) => use(store, boardUrl)).pipe(
      Effect.scoped,
      // What's wrong is said in one sentence at the end.
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  )

const PRIVATE = 0o600
const decodeArchive = Schema.decodeUnknownEffect(Schema.fromJsonString(BoardArchive))
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`

/** How much there is, in words. */
export const contents = (tasks: number, proposals: number): string =>
  `${plural(tasks, "task")} and ${plural(proposals, "proposal")}`

const firstIssue = (error: Schema.SchemaError): string => {
  const first = formatIssue(error.issue).issues[0]
  const path = first?.path?.map(String).join(".") ?? ""
  return `${path.length > 0 ? `${path}: ` : ""}${first?.message ?? "can't be read"}`
}

/** Writes the whole board as JSON to a file, or to stdout. */
export const exportToFile = (file: Option.Option<string>) =>
  withBoard(
    Effect.fnUntraced(function* (store) {
      const fs = yield* FileSystem.FileSystem
      const archive = yield* store.read(exportBoard).pipe(Effect.mapError(({ message }) => refuse(message)))
      const text = JSON.stringify(archive, null, 2)
      if (Option.isNone(file)) return yield* Console.log(text)
      yield* fs
        .writeFileString(file.value, `${text}\n`, { mode: PRIVATE })
        .pipe(Effect.mapError(() => refuse(`couldn't write ${file.value}`)))
      yield* Console.log(`Exported ${contents(archive.tasks.length, archive.proposals.length)} to ${file.value}`)
    })
  )

/** Imports an exported board from a file or stdin, replacing this one. */
export const importFromFile = (file: Option.Option<string>, options: { readonly replace: boolean }) =>
  withBoard(
    Effect.fnUntraced(function* (store) {
      const fs = yield* FileSystem.FileSystem
      const name = Option.getOrElse(file, () => "stdin")
      const text = yield* Option.match(file, {
        onNone: () => readPipedText,
        onSome: (path) => fs.readFileString(path).pipe(Effect.mapError(() => refuse(`couldn't read ${path}`)))
      })
      const archive = yield* decodeArchive(text).pipe(
        Effect.mapError((error) => refuse(`${name} isn't an exported board: ${firstIssue(error)}`))
      )
      const imported = yield* store
        .mutate((db) => importBoard(db, archive, options))
        .pipe(Effect.mapError(({ message }) => refuse(message)))
      yield* Console.log(`Imported ${contents(imported.tasks, imported.proposals)}`)
    })
  )

const FOLDER = "sqlite"
const STDIN = "-"

const same = "the board is already there"

/** `agent-console board move --to <url>`, or `-` to read it from stdin: copies the board to another store, checks the copy and says what to set. */
export const moveTo = Effect.fn("moveTo")(function* (given: string) {
  // Other users of the machine see a command line, and the shell keeps it.
  const to = given === STDIN ? (yield* readPipedText).trim() : given
  if (to !== FOLDER && !isBoardUrl(to)) {
    return yield* new CommandFailure({
      message: `--to must be a postgres:// address, ${FOLDER} for the console's own folder, or ${STDIN} to read it from stdin`,
      exitCode: exitCodes.usage
    })
  }
  yield* withBoard(
    Effect.fnUntraced(
      function* (source, boardUrl) {
        if (to === (boardUrl === undefined ? FOLDER : Redacted.value(boardUrl))) return yield* refuse(same)
        const target = yield* to === FOLDER ? boardInFolder : boardAt(Redacted.make(to))
        const moved = yield* moveBoard(source, target).pipe(Effect.mapError(({ message }) => refuse(message)))
        const next =
          to === FOLDER ? "Remove BOARD_URL from the settings" : "Set BOARD_URL to that address on every console"
        yield* Console.log(
          `Copied and checked ${contents(moved.tasks, moved.proposals)}. ${next}, and start again. The old board stays where it was.`
        )
      },
      Effect.catchTag("StoreError", ({ message }) => refuse(message))
    )
  )
})
