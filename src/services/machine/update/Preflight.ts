import { constants } from "node:fs"
import { access, lstat, readdir, statfs } from "node:fs/promises"
import { posix } from "node:path"
import { Context, Effect, Layer } from "effect"
import { Checkout } from "./Checkout.ts"
import {
  changesProblem,
  neededBytes,
  type Owned,
  ownerProblem,
  type Renamed,
  renameProblem,
  spaceProblem,
  toolProblem
} from "./preflightRules.ts"
import { PackageManager } from "./Staging.ts"
import { SWAPPED } from "./swapMoves.ts"
import { failedAt, UpdateFailure } from "./UpdateReport.ts"
import { FOLDER, NO_CHECKOUT, UpdateTarget, updatePlaces } from "./UpdateTarget.ts"

/** The machine's folders and users. */
export interface MachineShape {
  readonly freeBytes: (directory: string) => Effect.Effect<number>
  /** The user's id; `undefined` on systems without one. */
  readonly user: number | undefined
  readonly nodeVersion: string
}

/** The machine as an update sees it. */
export class Machine extends Context.Service<Machine, MachineShape>()("agent-console/services/machine/update/Machine") {
  static readonly layer = Layer.sync(Machine, () =>
    Machine.of({
      freeBytes: (directory) =>
        Effect.tryPromise(() => statfs(directory)).pipe(
          Effect.map(({ bavail, bsize }) => bavail * bsize),
          // If the file system doesn't say, give it a try.
          Effect.orElseSucceed(() => Number.POSITIVE_INFINITY)
        ),
      user: process.getuid?.(),
      nodeVersion: process.versions.node
    })
  )
}

export interface PreflightShape {
  /** Fails with the first thing that would break an update; leftovers of an interrupted run don't count. */
  readonly check: (options: {
    readonly afterUnfinished: boolean
    /** Whether packages will be installed rather than only swapped. */
    readonly installs: boolean
  }) => Effect.Effect<void, UpdateFailure>
  /** Fails if tracked files were changed: a checkout would discard the changes. */
  readonly checkChanges: Effect.Effect<void, UpdateFailure>
}

const refuse = (message: string) => new UpdateFailure({ step: "preflight", message })
const refuseIf = (problem: string | undefined) => (problem === undefined ? Effect.void : Effect.fail(refuse(problem)))

/** Where an update writes; anything below has the same owner. */
const LOOKED_INTO = ["", ".git", "dist", "node_modules", FOLDER]

const ownerOf = (directory: string, name: string) =>
  Effect.tryPromise(() => lstat(posix.join(directory, name))).pipe(
    Effect.map(({ uid }): ReadonlyArray<Owned> => [{ name, owner: uid }]),
    Effect.orElseSucceed((): ReadonlyArray<Owned> => [])
  )

const entriesOf = (directory: string, folder: string) =>
  Effect.tryPromise(() => readdir(posix.join(directory, folder))).pipe(
    Effect.orElseSucceed((): ReadonlyArray<string> => []),
    Effect.flatMap((names) =>
      Effect.forEach(names, (name) => ownerOf(directory, posix.join(folder, name)), { concurrency: 16 })
    ),
    Effect.map((owned) => owned.flat())
  )

const renamed = (directory: string) =>
  Effect.tryPromise(() => lstat(directory)).pipe(
    Effect.flatMap(({ dev }) =>
      Effect.forEach([...SWAPPED, FOLDER], (name) =>
        Effect.tryPromise(() => lstat(posix.join(directory, name))).pipe(
          Effect.map(
            (stat): ReadonlyArray<Renamed> => [{ name, isLink: stat.isSymbolicLink(), isElsewhere: stat.dev !== dev }]
          ),
          Effect.orElseSucceed((): ReadonlyArray<Renamed> => [])
        )
      )
    ),
    Effect.map((folders) => folders.flat()),
    Effect.orElseSucceed((): ReadonlyArray<Renamed> => [])
  )

/** Everything checked before an update changes anything. */
export class Preflight extends Context.Service<Preflight, PreflightShape>()(
  "agent-console/services/machine/update/Preflight"
) {
  static readonly layer = Layer.effect(
    Preflight,
    Effect.gen(function* () {
      const { directory } = yield* UpdateTarget
      const machine = yield* Machine
      const checkout = yield* Checkout
      const packages = yield* PackageManager

      const ownership = Effect.gen(function* () {
        if (machine.user === undefined) return
        const owner = (yield* ownerOf(directory, "")).at(0)?.owner ?? machine.user
        const entries = (yield* Effect.forEach(LOOKED_INTO, (folder) => entriesOf(directory, folder))).flat()
        yield* refuseIf(ownerProblem(machine.user, owner, entries))
      })

      const writable = Effect.tryPromise({
        try: () => Promise.all(["", ".git"].map((name) => access(posix.join(directory, name), constants.W_OK))),
        catch: () => refuse("this user can't write to the checkout: make it owned by the user who runs the console")
      })

      const checkChanges = checkout.changes.pipe(
        Effect.mapError(failedAt("preflight")),
        Effect.flatMap((changes) => refuseIf(changesProblem(changes)))
      )

      const check = Effect.fn("Preflight.check")(function* ({
        afterUnfinished,
        installs
      }: {
        readonly afterUnfinished: boolean
        readonly installs: boolean
      }) {
        if (!(yield* checkout.isCheckout)) {
          return yield* refuse(NO_CHECKOUT.message)
        }
        yield* ownership
        yield* writable
        yield* refuseIf(renameProblem(yield* renamed(directory)))
        if (installs) {
          const npm = yield* packages.version.pipe(Effect.mapError(failedAt("preflight")))
          yield* refuseIf(toolProblem({ node: machine.nodeVersion, npm }))
        }
        const [installed, prepared] = installs
          ? yield* Effect.all([
              packages.installedBytes(directory),
              packages.installedBytes(updatePlaces(directory).next)
            ])
          : [0, 0]
        // What an interrupted run had prepared is reused or discarded.
        const free = (yield* machine.freeBytes(directory)) + prepared
        yield* refuseIf(spaceProblem(free, neededBytes({ installs, installed })))
        if (!afterUnfinished) yield* checkChanges
      })

      return Preflight.of({ check, checkChanges })
    })
  )
}
