import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { link, lstat, mkdir, open, rm } from "node:fs/promises"
import { Effect, Stream } from "effect"
import { failure } from "../../../contract/failures.ts"
import { MAX_UPLOADED_FILE } from "../../../contract/limits.ts"
import { attempt, FileConflict, type FileError, FileTooLarge } from "../../platform/storage/fileErrors.ts"
import type { GuardedRoot, HeldFolder } from "../files/GuardedRoot.ts"
import { timeOf } from "../files/OpenFile.ts"
import { numberedName } from "./safeFileName.ts"

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
const OWN = 0o600
const OWN_FOLDER = 0o700
/** The maximum number of files with one name on a day. */
const MAX_NAMED_ALIKE = 1000

const tooLarge = new FileTooLarge({ message: `a file can have at most ${MAX_UPLOADED_FILE / 1_000_000} MB` })

/** The console's incomplete files, which the file browser hides. */
const partName = (): string => `.upload.${randomBytes(6).toString("hex")}.tmp`

const ensureFolder = (at: string) =>
  attempt(() => mkdir(at, { mode: OWN_FOLDER })).pipe(Effect.catchTag("FileConflict", () => Effect.void))

/** Opens a folder below the root, which must exist, and creates missing parents. */
const holdFolder = Effect.fnUntraced(function* (root: GuardedRoot, segments: ReadonlyArray<string>) {
  let held = yield* root.folder([])
  for (const [index, name] of segments.entries()) {
    yield* ensureFolder(`${held.at}/${name}`)
    held = yield* root.folder(segments.slice(0, index + 1))
  }
  return held
})

/** Moves a complete file to its first free name; simultaneous files get different names. */
const settle = Effect.fnUntraced(function* ({ at }: HeldFolder, part: string, name: string) {
  for (let count = 1; count <= MAX_NAMED_ALIKE; count += 1) {
    const free = numberedName(name, count)
    const isOurs = yield* attempt(() => link(part, `${at}/${free}`)).pipe(
      Effect.as(true),
      Effect.catchTag("FileConflict", () => Effect.succeed(false))
    )
    if (isOurs) return free
  }
  return yield* new FileConflict(failure("TOO_MANY_SAME_NAMES"))
})

/**
 * Writes a stream to a new file of at most 100 MB, with one chunk in memory at a time. The file gets its name once it's
 * complete on disk; an incomplete one never has it.
 */
export const keepUpload = Effect.fn("keepUpload")(function* (
  root: GuardedRoot,
  folder: ReadonlyArray<string>,
  name: string,
  bytes: Stream.Stream<Uint8Array, FileError>
) {
  const held = yield* holdFolder(root, folder)
  const part = `${held.at}/${partName()}`
  const handle = yield* Effect.acquireRelease(
    attempt(() => open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, OWN)),
    (file) =>
      Effect.andThen(
        Effect.ignore(attempt(() => file.close())),
        Effect.ignore(attempt(() => rm(part, { force: true })))
      )
  )
  let size = 0
  yield* Stream.runForEach(bytes, (piece): Effect.Effect<void, FileError> => {
    size += piece.length
    return size > MAX_UPLOADED_FILE ? Effect.fail(tooLarge) : attempt(() => handle.writeFile(piece))
  })
  yield* attempt(() => handle.sync())
  const given = yield* settle(held, part, name)
  const mtime = timeOf(yield* attempt(() => lstat(`${held.at}/${given}`)))
  return { name: given, size, mtime }
}, Effect.scoped)
