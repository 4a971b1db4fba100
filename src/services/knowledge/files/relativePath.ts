import { Result } from "effect"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { FileRefused } from "../../platform/storage/fileErrors.ts"

/** Maximum length of a path and of a name in it, in bytes of UTF-8, as on Linux. */
const MAX_PATH_BYTES = 4096
const MAX_NAME_BYTES = 255
/** How many layers of percent-escapes are checked; a name is never decoded for use. */
const MAX_LAYERS = 4

const encoder = new TextEncoder()

/** Whether a text exceeds the limit in UTF-8; a UTF-16 unit has at most three bytes. */
const hasMoreBytes = (text: string, limit: number): boolean =>
  text.length * 3 > limit && (text.length > limit || encoder.encode(text).length > limit)

const ESCAPE = /%[0-9a-f]{2}/gi

// Byte by byte, so that invalid and overlong sequences reveal their dots and slashes too.
const unescapeOnce = (text: string): string =>
  text
    .replace(/%c0%ae/gi, ".")
    .replace(/%c0%af/gi, "/")
    .replace(ESCAPE, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))

const climbs = (text: string): boolean => text.split(/[/\\]/).some((part) => part === ".." || part === ".")

/** Whether any layer of percent-escapes hides "..", a separator or a NUL. */
const hidesTraversal = (name: string): boolean => {
  if (!name.includes("%")) return false
  let text = name
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const decoded = unescapeOnce(text)
    if (decoded === text) return false
    if (decoded.includes("\0") || (/[/\\]/.test(decoded) && climbs(decoded)) || decoded === "..") return true
    text = decoded
  }
  return ESCAPE.test(text)
}

const refuse = (why: Failure) => Result.fail(new FileRefused(why))

/** Checks a file or folder name: no separator, no "..", at most 255 bytes. `field` names it in the error. */
export const parseName = (name: string, field = "name"): Result.Result<string, FileRefused> => {
  if (name === "") return refuse({ message: `${field}: a name is missing` })
  if (name === "." || name === ".." || hidesTraversal(name)) return refuse(failure("OUTSIDE_THE_FOLDER", { field }))
  if (/[/\\\0]/.test(name)) return refuse({ message: `${field}: can't contain a slash, a backslash or a NUL` })
  if (!name.isWellFormed()) return refuse({ message: `${field}: isn't valid text` })
  if (hasMoreBytes(name, MAX_NAME_BYTES))
    return refuse({ message: `${field}: a name can have at most ${MAX_NAME_BYTES} bytes` })
  return Result.succeed(name)
}

/**
 * Splits a path relative to a root into checked names: not absolute, no `~`, no `.` or `..` however they are
 * escaped, no backslash, no NUL. The empty path is the root itself.
 */
export const parseRelativePath = (path: string, field = "path"): Result.Result<ReadonlyArray<string>, FileRefused> => {
  if (path === "") return Result.succeed([])
  if (path.startsWith("/") || path.startsWith("~"))
    return refuse({ message: `${field}: must be relative to the folder shown` })
  if (hasMoreBytes(path, MAX_PATH_BYTES)) return refuse(failure("PATH_TOO_LONG", { field }))
  if (hidesTraversal(path)) return refuse(failure("OUTSIDE_THE_FOLDER", { field }))
  return Result.all(path.split("/").map((name) => parseName(name, field)))
}

/** Whether `path` is `folder` or below it; both absolute, normal and without trailing slash. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`)
