import { isUtf8 } from "node:buffer"
import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { Effect, Result } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { parseName } from "./relativePath.ts"

/** The replacement for bytes that aren't valid text. */
const NO_TEXT = "\ufffd"
const LONGEST_CHARACTER = 4

/** The reason why an entry with this name can't be read or changed; `undefined` for other names. */
export const unusableBecause = (name: string): string | undefined => {
  if (Result.isSuccess(parseName(name))) return undefined
  return name.includes("\\")
    ? "its name has a backslash, which other systems take for a folder: rename it on its machine"
    : "its name has escaped signs, such as %00 or %2F, that could lead elsewhere: rename it on its machine"
}

export const NOT_TEXT = "its name has bytes that are no text: rename it on its machine"

/** A name with invalid bytes as `\xff`, so that two such names are distinguishable. */
const written = (name: Buffer): string => {
  let text = ""
  for (let at = 0; at < name.length; ) {
    const lengths = Array.from({ length: LONGEST_CHARACTER }, (_, index) => index + 1)
    const length = lengths.find((count) => at + count <= name.length && isUtf8(name.subarray(at, at + count))) ?? 0
    text += length === 0 ? `\\x${name.toString("hex", at, at + 1)}` : name.toString("utf8", at, at + length)
    at += Math.max(1, length)
  }
  return text
}

/** An entry whose name isn't valid text. */
export interface NamelessEntry {
  readonly name: string
  readonly entry: Pick<Dirent<Buffer>, "isDirectory" | "isFile" | "isSymbolicLink">
}

/** Whether bytes of the name may have been replaced. */
export const mayBeNoText = (name: string): boolean => name.includes(NO_TEXT)

/** Separates the entries of a folder whose names aren't valid text from the others, which the system doesn't. */
export const namelessEntries = (at: string) =>
  Effect.map(
    attempt(() => readdir(at, { encoding: "buffer", withFileTypes: true })),
    (entries) => ({
      nameless: entries.flatMap(
        (entry): ReadonlyArray<NamelessEntry> => (isUtf8(entry.name) ? [] : [{ name: written(entry.name), entry }])
      ),
      named: new Set(entries.flatMap(({ name }) => (isUtf8(name) ? [name.toString("utf8")] : [])))
    })
  )
