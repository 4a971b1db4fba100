import { Console, Effect, FileSystem, Layer, Option, Schema, SchemaIssue } from "effect"
import { homeDir, loadPlainSettings } from "../layers/Config.ts"
import { SqliteBeside } from "../layers/Sqlite.ts"
import { BoardArchive, exportBoard, importBoard } from "../services/board/boardArchive.ts"
import { prepareHome } from "../services/settings/prepareHome.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Sqlite, type SqliteShape } from "../services/sqlite/Sqlite.ts"
import { exitCodes } from "./exitCodes.ts"
import { readPipedText } from "./readSecret.ts"
import { Stop } from "./Stop.ts"

const PRIVATE = 0o600
const decodeArchive = Schema.decodeUnknownEffect(Schema.fromJsonString(BoardArchive))
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const refuse = (message: string) => new Stop({ message, exitCode: exitCodes.board })

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`

const contents = (tasks: number, proposals: number): string =>
  `${counted(tasks, "task")} and ${counted(proposals, "proposal")} are`

const firstIssue = (error: Schema.SchemaError): string => {
  const first = formatIssue(error.issue).issues[0]
  const path = first?.path?.map(String).join(".") ?? ""
  return `${path.length > 0 ? `${path}: ` : ""}${first?.message ?? "it cannot be read"}`
}

/** Opens the board beside a console that may be running; every failure ends the program with one sentence. */
const withBoard = <A>(use: (sqlite: SqliteShape) => Effect.Effect<A, Stop, FileSystem.FileSystem>) =>
  Effect.gen(function* () {
    const settings = yield* loadPlainSettings
    yield* prepareHome(settings.svcHome, homeDir)
    return yield* Effect.flatMap(Sqlite, use).pipe(
      Effect.provide(Layer.provide(SqliteBeside, Settings.layerOf(settings)))
    )
  }).pipe(
    Effect.catchTags({
      SettingsError: ({ message }) => new Stop({ message, exitCode: exitCodes.settings }),
      HomeError: ({ message }) => new Stop({ message, exitCode: exitCodes.home }),
      StoreError: ({ message }) => refuse(message)
    })
  )

/** Writes the whole board as JSON to a file, or to stdout (D40). */
export const exportToFile = (file: Option.Option<string>) =>
  withBoard(
    Effect.fnUntraced(function* (sqlite) {
      const fs = yield* FileSystem.FileSystem
      const archive = yield* sqlite.read(exportBoard).pipe(Effect.mapError(({ message }) => refuse(message)))
      const text = JSON.stringify(archive, null, 2)
      if (Option.isNone(file)) return yield* Console.log(text)
      yield* fs
        .writeFileString(file.value, `${text}\n`, { mode: PRIVATE })
        .pipe(Effect.mapError(() => refuse(`${file.value} cannot be written`)))
      yield* Console.log(`${contents(archive.tasks.length, archive.proposals.length)} in ${file.value}`)
    })
  )

/** Reads a board that was exported, from a file or from stdin, and puts it in place of this one (D40). */
export const importFromFile = (file: Option.Option<string>, options: { readonly replace: boolean }) =>
  withBoard(
    Effect.fnUntraced(function* (sqlite) {
      const fs = yield* FileSystem.FileSystem
      const name = Option.getOrElse(file, () => "stdin")
      const text = yield* Option.match(file, {
        onNone: () => readPipedText,
        onSome: (path) => fs.readFileString(path).pipe(Effect.mapError(() => refuse(`${path} cannot be read`)))
      })
      const archive = yield* decodeArchive(text).pipe(
        Effect.mapError((error) => refuse(`${name} is no exported board: ${firstIssue(error)}`))
      )
      const imported = yield* sqlite
        .transaction((db) => importBoard(db, archive, options))
        .pipe(Effect.mapError(({ message }) => refuse(message)))
      yield* Console.log(`${contents(imported.tasks, imported.proposals)} on the board now`)
    })
  )
