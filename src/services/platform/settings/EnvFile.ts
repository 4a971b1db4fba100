import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { writeFileAtomic } from "../storage/atomicFile.ts"
import { orStorageFailure, type StorageFailure } from "../storage/fileErrors.ts"
import { PathLocks } from "../storage/PathLocks.ts"
import { Settings } from "./Settings.ts"
import { parseDotEnv } from "./variables.ts"

const ASSIGNMENT = /^([^\S\n]*(?:export[^\S\n]+)?)([A-Za-z_][\w.-]*)([^\S\n]*=[^\S\n]*)/
/** As one character, and as one character for each byte. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/
const QUOTES = ["'", '"', "`"]

/** A variable's value's position in the text: from the first character after `=` and blanks to the value's end. */
interface Place {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly quote: string
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

/** A quoted value ends at its quote, possibly lines below; without a closing quote it ends with its line. */
const valuePlace = (text: string, start: number): Omit<Place, "name"> => {
  const quote = text[start] ?? ""
  if (QUOTES.includes(quote)) {
    const close = text.indexOf(quote, start + 1)
    if (close !== -1) return { start, end: close + 1, quote }
  }
  const line = text.slice(start, lineEnd(text, start))
  const comment = line.indexOf("#")
  const value = (comment === -1 ? line : line.slice(0, comment)).trimEnd()
  return { start, end: start + value.length, quote: "" }
}

const places = (text: string): ReadonlyArray<Place> => {
  const found: Array<Place> = []
  let at = BYTE_ORDER_MARK.exec(text)?.[0].length ?? 0
  while (at < text.length) {
    const match = ASSIGNMENT.exec(text.slice(at, lineEnd(text, at)))
    if (match === null) {
      at = lineEnd(text, at) + 1
      continue
    }
    const place = { name: match[2] ?? "", ...valuePlace(text, at + match[0].length) }
    found.push(place)
    at = lineEnd(text, place.end) + 1
  }
  return found
}

type Variables = Readonly<Record<string, string>>

const newlineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")

const withLines = (text: string, lines: string): string =>
  text + (lines === "" || text === "" || text.endsWith("\n") ? "" : newlineOf(text)) + lines

const linesOf = (text: string, variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}${newlineOf(text)}`)
    .join("")

const valuesOf = (text: string) => parseDotEnv(text.replace(BYTE_ORDER_MARK, ""))

const isSame = (left: Partial<Variables>, right: Partial<Variables>): boolean => {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}

/**
 * The text of a `.env` file with variables set: an existing value is replaced within its quotes, a new one is added at
 * the end, and every other byte stays. Values are plain words. If a variable occurs twice, the last one counts and is
 * replaced.
 *
 * Node continues a value of blanks on the next line. A variable that would be lost that way is added at the end, after a
 * comment, which ends the value.
 */
export const setInEnvText = (text: string, variables: Variables): string => {
  const edited = editInPlace(text, variables)
  if (isSame(valuesOf(edited), { ...valuesOf(text), ...variables })) return edited
  return withLines(text, `# Set by Agent Console${newlineOf(text)}${linesOf(text, variables)}`)
}

const editInPlace = (text: string, variables: Variables): string => {
  const all = places(text)
  const edits: Array<{ readonly start: number; readonly end: number; readonly value: string }> = []
  const added: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    const place = all.findLast((candidate) => candidate.name === name)
    if (place === undefined) added[name] = value
    else edits.push({ start: place.start, end: place.end, value: `${place.quote}${value}${place.quote}` })
  }
  const changed = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, value }) => whole.slice(0, start) + value + whole.slice(end), text)
  return withLines(changed, linesOf(text, added))
}

/** The text of a `.env` file without the whole lines of some variables, which may be several lines each. */
export const withoutVariables = (text: string, isLeftOut: (name: string, value: string) => boolean): string =>
  places(text)
    .filter(({ name, start, end, quote }) => isLeftOut(name, text.slice(start + quote.length, end - quote.length)))
    .toReversed()
    .reduce(
      (whole, { start, end }) =>
        whole.slice(0, whole.lastIndexOf("\n", start - 1) + 1) + whole.slice(lineEnd(whole, end) + 1),
      text
    )

export interface EnvFileShape {
  /** Sets variables to plain words for the next start; the rest of the file is left alone. */
  readonly set: (variables: Readonly<Record<string, string>>) => Effect.Effect<void, StorageFailure>
}

const FILE_NAME = ".env"
/** A new file is readable by its owner only: the next thing added to it may be a token. */
const NEW_MODE = 0o600

/** One character for each byte, so that bytes other than the changed ones, which are ASCII, stay the same. */
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")
const encode = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** The `.env` file of the directory the console was started in, written without losing anything in it. */
export class EnvFile extends Context.Service<EnvFile, EnvFileShape>()(
  "agent-console/services/platform/settings/EnvFile"
) {
  static readonly layer = Layer.effect(
    EnvFile,
    Effect.gen(function* () {
      const settings = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const locks = yield* PathLocks
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const path = paths.join(settings.installDir, FILE_NAME)

      const set = Effect.fn("EnvFile.set")(function* (variables: Readonly<Record<string, string>>) {
        const write = Effect.gen(function* () {
          const bytes = yield* fs
            .readFile(path)
            .pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)))
          const text = bytes === undefined ? "" : decode(bytes)
          const changed = setInEnvText(text, variables)
          if (changed === text) return
          yield* writeFileAtomic(path, encode(changed), bytes === undefined ? { mode: NEW_MODE } : {})
        })
        yield* write.pipe(
          Effect.provideContext(platform),
          Effect.catchTag("PlatformError", (error) => orStorageFailure("couldn't write .env")(Effect.fail(error))),
          locks.withLock(path)
        )
      })

      return EnvFile.of({ set })
    })
  )
}
