import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { link, lstat, mkdir, open, rm } from "node:fs/promises"
import { Clock, Context, DateTime, Effect, Layer, Schema, Stream } from "effect"
import { failure } from "../../../contract/failures.ts"
import { MAX_UPLOADED_FILE } from "../../../contract/limits.ts"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { attempt, FileConflict, type FileError, FileTooLarge, RootMissing } from "../../platform/storage/fileErrors.ts"
import { AgentWorkspaces, type WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { agentField, WorkspaceForbidden } from "../agents/Workspace.ts"
import { listFolder } from "../files/fileTree.ts"
import { type GuardedRoot, type HeldFolder, makeGuardedRoot } from "../files/GuardedRoot.ts"
import { timeOf } from "../files/OpenFile.ts"
import type { TextsOwner } from "../texts/WorkspaceTexts.ts"
import { numberedName, safeFileName } from "./safeFileName.ts"

/** Most bytes of all files of one agent. */
const MAX_UPLOADS = 2_000_000_000

/** The folder of an agent's workspace that has the files people sent. */
const UPLOADS_FOLDER = "uploads"
const PART = /^\.upload\.[0-9a-f]{12}\.tmp$/
/** The age at which an incomplete file must be from a console that was killed. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000
const MAX_FOLDERS = 5_000
const MAX_FILES = 20_000

/** Returns the bytes of a day's files, and removes abandoned incomplete files. */
const dayOf = Effect.fnUntraced(function* (root: GuardedRoot, day: string, now: number) {
  const folder = yield* root.folder([UPLOADS_FOLDER, day])
  const { entries } = yield* listFolder(folder.at, MAX_FILES)
  let size = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const at = `${folder.at}/${entry.name}`
    const info = yield* Effect.option(attempt(() => lstat(at)))
    if (info._tag === "None") continue
    if (PART.test(entry.name)) {
      if (now - info.value.mtimeMs > LEFT_BEHIND_MS) yield* Effect.ignore(attempt(() => rm(at, { force: true })))
    } else size += info.value.size
  }
  return size
}, Effect.scoped)

/** Returns the bytes of all uploads of an agent, without incomplete files. */
const uploadsSize = Effect.fn("uploadsSize")(
  function* (root: GuardedRoot, now: number) {
    const top = yield* root.folder([UPLOADS_FOLDER])
    const { entries } = yield* listFolder(top.at, MAX_FOLDERS)
    const days = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const sizes = yield* Effect.forEach(days, (day) => Effect.orElseSucceed(dayOf(root, day, now), () => 0))
    return sizes.reduce((sum, size) => sum + size, 0)
  },
  (counting) => Effect.scoped(counting).pipe(Effect.catchTag("FileMissing", () => Effect.succeed(0)))
)

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
const keepUpload = Effect.fn("keepUpload")(function* (
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

/** The uploads of an agent have reached their limit. */
export class UploadsFull extends Schema.TaggedError<UploadsFull>()("UploadsFull", {}) {}

/** The path of a file, relative to the agent's workspace. */
export interface Uploaded {
  readonly path: string
  /** In bytes. */
  readonly size: number
}

export interface UploadsShape {
  /**
   * Stores a file for an agent: below `uploads` in its workspace, in a folder for the day, under its name, with a
   * number if that exists. At most 100 MB, 2 GB for all files of an agent. An interrupted upload leaves no file.
   */
  readonly add: (
    owner: TextsOwner,
    name: string,
    bytes: Stream.Stream<Uint8Array, FileError>
  ) => Effect.Effect<Uploaded, WorkspaceError | FileError | UploadsFull>
}

const elsewhere = new WorkspaceForbidden({
  message:
    "The agent is on another gateway's machine, where the console can't put files. Attach pictures or text files of up to 64 KB, or put the file into the agent's workspace there."
})

const nowhere = new RootMissing({
  message:
    "The agent's workspace isn't on this machine, so the file can't be put there. Attach pictures or text files of up to 64 KB, or correct the setting GATEWAY_HOME."
})

/** The files that people send to agents and that aren't sent as text. */
export class Uploads extends Context.Service<Uploads, UploadsShape>()(
  "agent-console/services/knowledge/uploads/Uploads"
) {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const workspaces = yield* AgentWorkspaces
      const events = yield* EventBus

      const add = Effect.fn("Uploads.add")(
        function* (owner: TextsOwner, name: string, bytes: Stream.Stream<Uint8Array, FileError>) {
          if ((owner.gateway ?? PRIMARY) !== PRIMARY) return yield* elsewhere
          const workspace = yield* workspaces.of(owner.agent)
          // The default agent's folder is in the settings; the others' are created when needed.
          if (workspace.agent !== undefined) yield* attempt(() => mkdir(workspace.root, { recursive: true }))
          const root = makeGuardedRoot(workspace.root)
          const now = yield* Clock.currentTimeMillis
          const room = MAX_UPLOADS - (yield* uploadsSize(root, now))
          if (room <= 0) return yield* new UploadsFull()
          const day = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(now))
          const kept = yield* keepUpload(root, [UPLOADS_FOLDER, day], safeFileName(name), bytes)
          const path = `${UPLOADS_FOLDER}/${day}/${kept.name}`
          yield* events.publish({ event: "file.changed", data: { path, mtime: kept.mtime, ...agentField(workspace) } })
          return { path, size: kept.size }
        },
        Effect.catchTag("FileMissing", () => Effect.fail(nowhere))
      )

      return Uploads.of({ add })
    })
  )
}
