import { Console, Effect, FileSystem, Option, Schema, SchemaIssue } from "effect"
import { BoardArchive, exportBoard, importBoard } from "../services/board/boardArchive.ts"
import { readPipedText } from "./ask.ts"
import { withBoard } from "./withBoard.ts"
import { refuse } from "./withDatabase.ts"

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
