import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, Option, type Path, Schema } from "effect"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { Checkout } from "./Checkout.ts"
import { type CommandFailed, Commands } from "./Commands.ts"
import { Move, makeMoves, planMoves, prepareMoves, undoMoves } from "./swapMoves.ts"
import { Place } from "./UpdateFiles.ts"
import { keptAs, UpdateTarget, updatePlaces } from "./UpdateTarget.ts"

/** Swapping versions, in either direction, failed; `message` is a clause that says why. */
export class SwapFailed extends Schema.TaggedError<SwapFailed>()("SwapFailed", {
  message: Schema.String,
  /** A program's output about it. */
  output: Schema.String
}) {}

/** Files of an older version kept in this commit's build, for a console that may still be running. */
const Leftover = Schema.Struct({ ref: Schema.String, paths: Schema.Array(Schema.String) })

const Swap = Schema.Struct({
  from: Place,
  to: Place,
  /** Folders inside the update folder. */
  incoming: Schema.String,
  outgoing: Schema.String,
  moves: Schema.Array(Move)
})

/** A swap that can still be undone. */
export type Swap = typeof Swap.Type

export interface VersionSwapShape {
  /** The swap in progress, or left by a killed run. */
  readonly current: Effect.Effect<Option.Option<Swap>>
  /**
   * Swaps in the complete version from a folder inside the update folder. Until it's settled, this can be undone.
   */
  readonly bring: (change: Pick<Swap, "from" | "to" | "incoming">) => Effect.Effect<void, CommandFailed | SwapFailed>
  /** Undoes the current swap, however far it got; needs neither network nor build. */
  readonly undo: Effect.Effect<void, CommandFailed | SwapFailed>
  /** Makes the swap final. Of the earlier versions, only the one named by its commit is kept. */
  readonly settle: (options: { readonly keep: string | undefined }) => Effect.Effect<void, SwapFailed>
  /** Whether a commit's version is kept, and complete. */
  readonly hasKept: (commit: string) => Effect.Effect<boolean>
}

const KEPT_MARK = "kept.json"
const STAMP = "dist/.build"

/**
 * `npm start` rebuilds if the sources look changed since the build, and a checkout makes them look changed. Versions
 * without this stamp, or with another one, just build once more.
 */
const RESTAMP = `import("./scripts/buildState.ts").then(({ sourcesDigest, writeStamp }) => writeStamp(".", sourcesDigest(".")))`

const decodeSwap = Schema.decodeUnknownOption(Schema.fromJsonString(Swap))
const decodeLeftover = Schema.decodeUnknownOption(Schema.fromJsonString(Leftover))

const REASONS: Readonly<Record<string, string>> = {
  EXDEV: "parts of the checkout are on another file system",
  EACCES: "parts of the checkout belong to someone else",
  EPERM: "parts of the checkout belong to someone else",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only"
}

const failedBy = (cause: unknown): SwapFailed => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
  return new SwapFailed({
    message: REASONS[code] ?? `couldn't rename node_modules and dist (${code})`,
    output: ""
  })
}

/** Swaps versions in the checkout, on record in a file before it begins. */
export class VersionSwap extends Context.Service<VersionSwap, VersionSwapShape>()(
  "agent-console/services/machine/update/VersionSwap"
) {
  static readonly layer = Layer.effect(
    VersionSwap,
    Effect.gen(function* () {
      const { directory } = yield* UpdateTarget
      const checkout = yield* Checkout
      const commands = yield* Commands
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const places = updatePlaces(directory)

      const attempt = (change: () => void) => Effect.try({ try: change, catch: failedBy })
      const remove = (path: string) => Effect.ignore(fs.remove(path, { recursive: true, force: true }))
      const read = <A>(path: string, decode: (text: string) => Option.Option<A>) =>
        fs.readFileString(path).pipe(
          Effect.map(decode),
          Effect.orElseSucceed(() => Option.none<A>())
        )
      const write = (path: string, value: unknown) =>
        fs.makeDirectory(posix.dirname(path), { recursive: true }).pipe(
          Effect.andThen(writeFileAtomic(path, `${JSON.stringify(value)}\n`)),
          Effect.provideContext(platform),
          Effect.mapError(
            () =>
              new SwapFailed({
                message: "couldn't write to the .update folder in the checkout: check whether the disk is full",
                output: ""
              })
          )
        )

      const current = read(places.swap, decodeSwap)
      const leftoverIn = (commit: string) =>
        Effect.map(
          read(places.leftover, decodeLeftover),
          (leftover) =>
            new Set(
              Option.match(leftover, { onNone: () => [], onSome: ({ ref, paths }) => (ref === commit ? paths : []) })
            )
        )
      const foldersOf = ({ incoming, outgoing }: Pick<Swap, "incoming" | "outgoing">) => ({
        live: directory,
        incoming: posix.join(places.folder, incoming),
        outgoing: posix.join(places.folder, outgoing)
      })

      const forget = fs
        .remove(places.swap, { force: true })
        .pipe(
          Effect.mapError(
            () => new SwapFailed({ message: "couldn't write to the .update folder in the checkout", output: "" })
          )
        )

      const restamp = Effect.gen(function* () {
        if (!(yield* fs.exists(posix.join(directory, STAMP)))) return
        yield* commands.run({
          program: process.execPath,
          args: ["--input-type=module", "--eval", RESTAMP],
          directory,
          timeLimit: "30 seconds"
        })
      }).pipe(Effect.ignore)

      /** A power cut must not leave file names whose contents weren't written yet. */
      const ontoDisk = Effect.ignore(commands.run({ program: "sync", args: [], timeLimit: "1 minute" }))

      const bring = Effect.fn("VersionSwap.bring")(function* ({
        from,
        to,
        incoming
      }: Pick<Swap, "from" | "to" | "incoming">) {
        const outgoing = keptAs(from.ref)
        const folders = foldersOf({ incoming, outgoing })
        yield* remove(folders.outgoing)
        const ignored = yield* leftoverIn(from.ref)
        const moves = yield* Effect.try({ try: () => planMoves(folders, ignored), catch: failedBy })
        const swap: Swap = { from, to, incoming, outgoing, moves }
        yield* write(places.swap, swap)
        yield* attempt(() => prepareMoves(folders, moves))
        yield* ontoDisk
        yield* checkout.checkOut(to)
        yield* attempt(() => makeMoves(folders, moves))
        yield* write(posix.join(folders.outgoing, KEPT_MARK), from)
        yield* restamp
      })

      const isAt = ({ ref, branch }: Place) =>
        Effect.all([checkout.head, checkout.changes]).pipe(
          Effect.map(([head, changes]) => head.commit === ref && head.branch === branch && changes.length === 0),
          Effect.orElseSucceed(() => false)
        )

      const undo = Effect.gen(function* () {
        const swap = yield* current
        if (Option.isNone(swap)) return
        const { from, to, moves } = swap.value
        const folders = foldersOf(swap.value)
        yield* remove(posix.join(folders.outgoing, KEPT_MARK))
        yield* attempt(() => undoMoves(folders, moves))
        if (!(yield* isAt(from))) {
          yield* checkout.checkOut(from).pipe(
            // A killed git leaves its lock.
            Effect.catch(() => Effect.andThen(checkout.removeStaleLock, checkout.checkOut(from)))
          )
        }
        yield* checkout.removeLeft(to.ref)
        yield* restamp
        yield* remove(folders.outgoing)
        yield* forget
      }).pipe(Effect.withSpan("VersionSwap.undo"))

      const settle = Effect.fn("VersionSwap.settle")(function* ({ keep }: { readonly keep: string | undefined }) {
        const swap = yield* current
        if (Option.isSome(swap)) {
          const { from, to, moves } = swap.value
          const moved = new Set(moves.map(({ path }) => path))
          const outdated = [...(yield* leftoverIn(from.ref))].filter((path) => !moved.has(path))
          yield* Effect.forEach(outdated, (path) => remove(posix.join(directory, path)), { discard: true })
          const paths = moves.filter(({ kind }) => kind === "keep").map(({ path }) => path)
          yield* Effect.ignore(write(places.leftover, { ref: to.ref, paths }))
        }
        yield* forget
        const names = yield* fs.readDirectory(places.kept).pipe(Effect.orElseSucceed(() => []))
        const others = names.filter((name) => name !== keep)
        yield* Effect.forEach(others, (name) => remove(posix.join(places.kept, name)), { discard: true })
      }, Effect.uninterruptible)

      return VersionSwap.of({
        current,
        bring,
        undo,
        settle,
        hasKept: (commit) =>
          fs.exists(posix.join(places.folder, keptAs(commit), KEPT_MARK)).pipe(Effect.orElseSucceed(() => false))
      })
    })
  )
}
