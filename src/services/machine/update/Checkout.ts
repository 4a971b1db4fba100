import { lstat } from "node:fs/promises"
import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { CommandFailed } from "./Commands.ts"
import type { Place } from "./UpdateFiles.ts"
import { UpdateTarget } from "./UpdateTarget.ts"
import { makeUpdateGit, parseChanges } from "./updateGit.ts"

/** The checked-out commit and branch. */
export interface Head {
  readonly commit: string
  /** `null` when the head is detached. */
  readonly branch: string | null
}

export interface CheckoutShape {
  /** Whether the folder is the root of a git checkout. */
  readonly isCheckout: Effect.Effect<boolean>
  readonly head: Effect.Effect<Head, CommandFailed>
  /** Tracked files that differ from the head. */
  readonly changes: Effect.Effect<ReadonlyArray<string>, CommandFailed>
  /** Untracked files that checking out a commit would overwrite. */
  readonly inTheWay: (commit: string) => Effect.Effect<ReadonlyArray<string>, CommandFailed>
  /** Removes files of a commit left by an interrupted checkout; none of them were here before it. */
  readonly removeLeft: (commit: string) => Effect.Effect<void>
  /** The `version` of the `package.json` in place. */
  readonly version: Effect.Effect<string, CommandFailed>
  /** Checks out a commit, whatever the current state; on its branch if one still points to it. */
  readonly checkOut: (at: Pick<Place, "ref" | "branch">) => Effect.Effect<void, CommandFailed>
  /** Checks out a commit into another folder, as a worktree of the same repository. */
  readonly checkOutBeside: (folder: string, commit: string) => Effect.Effect<void, CommandFailed>
  /** Removes such a worktree, if it is one. */
  readonly removeBeside: (folder: string) => Effect.Effect<void>
  /** Reserves 8 MB, so that a rollback is possible even if the disk fills up. */
  readonly reserveRoom: Effect.Effect<void, CommandFailed>
  readonly giveRoomBack: Effect.Effect<void>
  /** Removes the lock files of a `git` that was killed. */
  readonly removeStaleLock: Effect.Effect<void>
}

const RESERVE_NAME = "agent-console-reserve"
const RESERVE_BYTES = 8 * 1024 * 1024

const Manifest = Schema.Struct({ version: Schema.String })
const decodeManifest = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

/** The git checkout that is updated. */
export class Checkout extends Context.Service<Checkout, CheckoutShape>()(
  "agent-console/services/machine/update/Checkout"
) {
  static readonly layer = Layer.effect(
    Checkout,
    Effect.gen(function* () {
      const { directory } = yield* UpdateTarget
      const fs = yield* FileSystem.FileSystem
      const { local, line } = yield* makeUpdateGit

      const isCheckout = Effect.all([
        line("rev-parse", "--show-toplevel").pipe(Effect.flatMap((top) => fs.realPath(top))),
        fs.realPath(directory)
      ]).pipe(
        Effect.map(([top, here]) => top === here),
        Effect.orElseSucceed(() => false)
      )

      const branch = line("symbolic-ref", "--quiet", "--short", "HEAD").pipe(Effect.orElseSucceed(() => null))

      const liesHere = (path: string) =>
        Effect.promise(() =>
          lstat(posix.join(directory, path)).then(
            () => true,
            // A file in the place of a future folder is in the way too.
            (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOTDIR"
          )
        )

      const inTheWay = Effect.fn("Checkout.inTheWay")(function* (commit: string) {
        const added = yield* local("diff", "--name-only", "--no-renames", "--diff-filter=A", "-z", "HEAD", commit)
        return yield* Effect.filter(
          added.split("\0").filter((path) => path !== ""),
          liesHere
        )
      })

      const removeLeft = Effect.fn("Checkout.removeLeft")(
        function* (commit: string) {
          const left = (yield* inTheWay(commit)).filter((path) => path !== ".env")
          yield* Effect.forEach(left, (path) => Effect.ignore(fs.remove(posix.join(directory, path))), {
            discard: true
          })
        },
        (effect) => Effect.ignore(effect)
      )

      const checkOut = Effect.fn("Checkout.checkOut")(function* ({
        ref,
        branch: wanted
      }: Pick<Place, "ref" | "branch">) {
        const stillThere =
          wanted === null
            ? false
            : yield* line("rev-parse", "--verify", "--quiet", `refs/heads/${wanted}`).pipe(
                Effect.map((commit) => commit === ref),
                Effect.orElseSucceed(() => false)
              )
        yield* stillThere && wanted !== null
          ? local("checkout", "--force", "--quiet", wanted, "--")
          : local("checkout", "--force", "--quiet", "--detach", ref)
      })

      const inGitFolder = (name: string) =>
        Effect.map(line("rev-parse", "--git-path", name), (path) => posix.resolve(directory, path))

      const remove = (name: string) =>
        inGitFolder(name).pipe(
          Effect.flatMap((path) => fs.remove(path, { force: true })),
          Effect.ignore
        )

      const reserveRoom = Effect.flatMap(inGitFolder(RESERVE_NAME), (path) =>
        fs.writeFile(path, new Uint8Array(RESERVE_BYTES)).pipe(
          Effect.mapError(
            () =>
              new CommandFailed({
                message: "the checkout's disk is full: free up some space first",
                output: ""
              })
          ),
          Effect.tapError(() => Effect.ignore(fs.remove(path, { force: true })))
        )
      )

      return Checkout.of({
        isCheckout,
        head: Effect.all({ commit: line("rev-parse", "HEAD"), branch }),
        changes: Effect.map(local("status", "--porcelain", "-z", "--untracked-files=no"), parseChanges),
        inTheWay,
        removeLeft,
        version: Effect.flatMap(fs.readFileString(posix.join(directory, "package.json")), decodeManifest).pipe(
          Effect.map(({ version }) => version),
          Effect.catch(() =>
            Effect.map(local("show", "HEAD:package.json"), (text) => text).pipe(
              Effect.flatMap(decodeManifest),
              Effect.map(({ version }) => version)
            )
          ),
          Effect.catchTag("SchemaError", () => Effect.succeed("0.0.0"))
        ),
        checkOut,
        // Git may remember a deleted worktree of this name and may have locked it.
        checkOutBeside: (folder, commit) =>
          Effect.asVoid(local("worktree", "add", "--force", "--force", "--detach", folder, commit)),
        removeBeside: (folder) => Effect.ignore(local("worktree", "remove", "--force", "--force", folder)),
        reserveRoom,
        giveRoomBack: remove(RESERVE_NAME),
        removeStaleLock: remove("index.lock")
      })
    })
  )
}
