import { createHash } from "node:crypto"
import { constants, createReadStream } from "node:fs"
import { access, stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { DateTime, Effect, Option, Schema, type Scope, Stream } from "effect"
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from "modern-tar"
import { errnoOf } from "../../platform/storage/fileErrors.ts"
import { BackupFailure, saidBy } from "./BackupFailure.ts"
import {
  type ArchivedFile,
  FORMAT,
  MANIFEST,
  Manifest,
  MOST_BYTES,
  MOST_MANIFEST_BYTES,
  manifestProblem,
  pathProblem
} from "./backupManifest.ts"
import type { StagedBackup } from "./stageBackup.ts"

const PRIVATE_FILE = 0o600

const unreadable = (cause: unknown) =>
  new BackupFailure({ reason: "home", message: `couldn't read the copies for the backup: ${saidBy(cause)}`, cause })

const bytesOf = (file: string, refuse: (cause: unknown) => BackupFailure): Stream.Stream<Uint8Array, BackupFailure> =>
  Stream.suspend(() => Stream.fromAsyncIterable<Uint8Array, BackupFailure>(createReadStream(file), refuse))

/** The archive of what was staged, as tar compressed with gzip; the scope keeps the copies until it has been read. */
export const packArchive = ({ copies, manifest }: StagedBackup): Stream.Stream<Uint8Array, BackupFailure> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { readable, controller } = createTarPacker()
      const add = (name: string, size: number, body: Stream.Stream<Uint8Array, BackupFailure>) => {
        const header = {
          name,
          size,
          type: "file",
          mode: PRIVATE_FILE,
          mtime: DateTime.toDateUtc(DateTime.makeUnsafe(manifest.createdAt))
        } as const
        return Effect.tryPromise({
          try: (signal) => Stream.toReadableStream(body).pipeTo(controller.add(header), { signal }),
          catch: unreadable
        })
      }
      const text = Buffer.from(`${JSON.stringify(manifest)}\n`)
      const write = Effect.gen(function* () {
        yield* add(MANIFEST, text.length, Stream.make(text))
        for (const { path, bytes } of manifest.files) {
          yield* add(path, bytes, bytesOf(copies.get(path) ?? "", unreadable))
        }
        controller.finalize()
      })
      yield* Effect.forkScoped(Effect.tapError(write, (failure) => Effect.sync(() => controller.error(failure))))
      return Stream.fromReadableStream<Uint8Array, BackupFailure>({
        evaluate: () => readable.pipeThrough(new CompressionStream("gzip")),
        onError: unreadable
      })
    })
  )

const damaged = (what: string, cause?: unknown) =>
  new BackupFailure({
    reason: "damaged",
    message: `the archive is damaged: ${what}`,
    ...(cause === undefined ? {} : { cause })
  })

const cutOff = (cause: unknown): BackupFailure =>
  cause instanceof BackupFailure ? cause : damaged("it isn't a whole tar.gz file", cause)

const unzipped = (file: string): Stream.Stream<Uint8Array, BackupFailure> =>
  Stream.suspend(() =>
    // The reader of the last stream sees a failure of either.
    Stream.fromAsyncIterable<Uint8Array, BackupFailure>(
      pipeline(createReadStream(file), createGunzip(), () => {}),
      cutOff
    )
  )

/** What has to be known of an archive of a newer format. */
const Head = Schema.Struct({ version: Schema.Int, consoleVersion: Schema.optional(Schema.String) })
const decodeHead = Schema.decodeUnknownOption(Schema.fromJsonString(Head))
const decodeManifest = Schema.decodeUnknownOption(Schema.fromJsonString(Manifest))

/** For an archive that an older console can't read. */
export const newerArchive = (head: { readonly version: number; readonly consoleVersion?: string | undefined }) =>
  new BackupFailure({
    reason: "newer",
    message:
      `the archive has format ${head.version}, and this console reads up to ${FORMAT}: ` +
      `restore it with Agent Console ${head.consoleVersion ?? "of the version that made it"} or newer`
  })

/** Where a file's content goes, piece by piece. */
interface Target {
  readonly write: (piece: Uint8Array) => Effect.Effect<void, BackupFailure>
  readonly end: Effect.Effect<void, BackupFailure>
}

/** Opens the place of a file, for the life of the scope. */
export type Unpack = (file: ArchivedFile) => Effect.Effect<Target, BackupFailure, Scope.Scope>

const ignored: Unpack = () => Effect.succeed({ write: () => Effect.void, end: Effect.void })

/** Headers with long paths, folders, and the zeros at the end. */
const OVERHEAD = 16 * 1024 ** 2
const OVERHEAD_EACH = 8 * 1024

const readable = Effect.fnUntraced(function* (file: string) {
  const missing = (cause: unknown) =>
    new BackupFailure({
      reason: "missing",
      message: errnoOf(cause) === "EACCES" ? `this user isn't allowed to read ${file}` : `there's no file ${file}`,
      cause
    })
  const info = yield* Effect.tryPromise({ try: () => stat(file), catch: missing })
  if (!info.isFile()) return yield* damaged(`${file} isn't a file`)
  yield* Effect.tryPromise({ try: () => access(file, constants.R_OK), catch: missing })
})

/**
 * Reads an archive from end to end and checks it: its gzip, every header and path, that every file of the manifest is
 * there once with its size and checksum, and nothing else. Never reads more than the manifest says. Files go to `unpack`
 * while they're checked.
 */
export const readArchive = Effect.fn("readArchive")(function* (file: string, unpack: Unpack = ignored) {
  yield* readable(file)
  let most = MOST_MANIFEST_BYTES + OVERHEAD
  let seen = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      seen += piece.length
      if (seen > most) controller.error(damaged("it holds more than its manifest says"))
      else controller.enqueue(piece)
    }
  })
  let head: typeof Head.Type | undefined
  let manifest: Manifest | undefined
  const missing = new Map<string, ArchivedFile>()
  const met = new Set<string>()

  const readManifest = Effect.fnUntraced(function* ({ body, header }: ParsedTarEntry) {
    if (header.name !== MANIFEST || header.type !== "file") return yield* damaged(`${MANIFEST} isn't its first file`)
    if (header.size > MOST_MANIFEST_BYTES) return yield* damaged("its manifest is too long")
    const pieces: Array<Uint8Array> = []
    yield* Stream.runForEach(piecesOf(body), (piece) => Effect.sync(() => pieces.push(piece)))
    const text = Buffer.concat(pieces).toString("utf8")
    head = Option.getOrUndefined(decodeHead(text))
    if (head === undefined) return yield* damaged("its manifest can't be read")
    manifest = Option.getOrUndefined(decodeManifest(text))
    if (manifest === undefined && head.version <= FORMAT) return yield* damaged("its manifest can't be read")
    const problem = manifest === undefined ? undefined : manifestProblem(manifest)
    if (problem !== undefined) return yield* damaged(problem)
    for (const one of manifest?.files ?? []) {
      missing.set(one.path, one)
      most += one.bytes + OVERHEAD_EACH
    }
    // What a newer format holds is unknown, so nothing of it is unpacked.
    if (manifest === undefined) most = MOST_BYTES
  })

  const readFile = Effect.fnUntraced(function* (listed: ArchivedFile, body: ParsedTarEntry["body"]) {
    const hash = createHash("sha256")
    const { end, write } = yield* unpack(listed)
    yield* Stream.runForEach(piecesOf(body), (piece) =>
      Effect.suspend(() => {
        hash.update(piece)
        return write(piece)
      })
    )
    yield* end
    if (hash.digest("hex") !== listed.sha256) return yield* damaged(`${listed.path} isn't what the manifest says`)
  }, Effect.scoped)

  const readEntry = Effect.fnUntraced(function* (entry: ParsedTarEntry) {
    const { body, header } = entry
    if (head === undefined) return yield* readManifest(entry)
    const isFolder = header.type === "directory"
    const path = isFolder ? header.name.replace(/\/$/, "") : header.name
    const problem = pathProblem(path)
    if (problem !== undefined) return yield* damaged(problem)
    if (!isFolder && header.type !== "file") return yield* damaged(`${path} is neither a file nor a folder`)
    if (met.has(path) || path === MANIFEST) return yield* damaged(`${path} is in it twice`)
    met.add(path)
    if (manifest === undefined) return yield* Stream.runDrain(piecesOf(body))
    const listed = missing.get(path)
    if (isFolder && listed === undefined) return
    if (isFolder || listed === undefined) return yield* damaged(`${path} isn't in its manifest`)
    if (header.size !== listed.bytes) return yield* damaged(`${path} has another size than the manifest says`)
    missing.delete(path)
    return yield* readFile(listed, body)
  })

  yield* Stream.runForEach(
    Stream.fromReadableStream<ParsedTarEntry, BackupFailure>({
      evaluate: () =>
        Stream.toReadableStream(unzipped(file))
          .pipeThrough(bounded)
          .pipeThrough(createTarDecoder({ strict: true })),
      onError: cutOff
    }),
    readEntry
  )
  if (head === undefined) return yield* damaged("it's empty")
  if (manifest === undefined) return yield* newerArchive(head)
  const [first] = missing.keys()
  if (first !== undefined) return yield* damaged(`${first} is missing`)
  return manifest
})

const piecesOf = (body: ParsedTarEntry["body"]): Stream.Stream<Uint8Array, BackupFailure> =>
  Stream.fromReadableStream<Uint8Array, BackupFailure>({ evaluate: () => body, onError: cutOff })
