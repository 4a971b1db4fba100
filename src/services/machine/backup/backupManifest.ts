import { Schema } from "effect"

/** The format of the archives that this version writes, and the newest that it reads. */
export const FORMAT = 1

export const MANIFEST = "manifest.json"

/** What an archive may hold in all; the sum of a manifest's sizes is checked before anything is unpacked. */
export const MOST_BYTES = 64 * 1024 ** 3
/** What the manifest itself may hold: a path and a checksum for each of some hundred thousand files. */
export const MOST_MANIFEST_BYTES = 64 * 1024 ** 2
const MOST_NAME_BYTES = 255
const MOST_PATH_BYTES = 4000

/** A file of an archive: its path there, its size and the SHA-256 of its content in hexadecimal. */
export const ArchivedFile = Schema.Struct({
  path: Schema.String,
  bytes: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
})
export type ArchivedFile = typeof ArchivedFile.Type

/** The first file of an archive: what made it, when (epoch ms), and every other file in it. */
export const Manifest = Schema.Struct({
  version: Schema.Int,
  consoleVersion: Schema.String,
  createdAt: Schema.Int,
  files: Schema.Array(ArchivedFile)
})
export type Manifest = typeof Manifest.Type

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Why a path can't be unpacked below a folder, if so. */
export const pathProblem = (path: string): string | undefined => {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
  if (path.startsWith("/")) return `the path ${shown} is absolute`
  const names = path.split("/")
  if (names.includes("..")) return `the path ${shown} leads out of the archive`
  const isOdd = names.some((name) => name === "" || name === "." || bytesOf(name) > MOST_NAME_BYTES)
  if (isOdd || path.includes("\0") || bytesOf(path) > MOST_PATH_BYTES) return `the path ${shown} isn't valid`
  return undefined
}

const foldersOf = (path: string): ReadonlyArray<string> => {
  const names = path.split("/")
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"))
}

/** Why a manifest's files can't be unpacked, if so. */
export const manifestProblem = ({ files }: Manifest): string | undefined => {
  const paths = new Set<string>([MANIFEST])
  let bytes = 0
  for (const file of files) {
    const problem = pathProblem(file.path)
    if (problem !== undefined) return problem
    if (paths.has(file.path)) return `${file.path} is in it twice`
    paths.add(file.path)
    bytes += file.bytes
    if (bytes > MOST_BYTES) return "it says that it holds more than 64 GiB"
  }
  const blocked = files.find(({ path }) => foldersOf(path).some((folder) => paths.has(folder)))
  if (blocked !== undefined) return `${blocked.path} is in it below a file`
  const places = new Set(files.map(({ path }) => restoredPlace(path)))
  return places.size === files.length ? undefined : "two of its files would be restored to one place"
}

/** The top of an archive: the console's folder, its settings, and what belongs to the gateway. */
export const TOPS = { home: "svc", settings: "settings", gateway: "gateway" } as const

/** Where everything but the console's own folder is restored, below that folder. */
export const RESTORED = "restored"

/** A file's place below the restored folder. */
export const restoredPlace = (path: string): string =>
  path.startsWith(`${TOPS.home}/`) ? path.slice(TOPS.home.length + 1) : `${RESTORED}/${path}`

/** A moment as it's in names, in UTC: `YYYYMMDD-HHMMSS`. */
export const stampOf = (iso: string): string => iso.slice(0, 19).replace(/[-:]/g, "").replace("T", "-")
