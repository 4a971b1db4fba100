import { constants } from "node:fs"
import { access, lstat, readdir, statfs } from "node:fs/promises"
import { posix } from "node:path"
import { Context, Effect, Layer } from "effect"
import { Checkout } from "./Checkout.ts"
import { PackageManager } from "./PackageManager.ts"
import { changesProblem, NEEDED_BYTES, type Owned, ownerProblem, spaceProblem, toolProblem } from "./preflightRules.ts"
import { failedAt, UpdateFailure } from "./UpdateFailure.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

/** What a machine tells about folders and users. */
export interface MachineShape {
  readonly freeBytes: (directory: string) => Effect.Effect<number>
  /** Id of the user; `undefined` where the system has none. */
  readonly user: number | undefined
  readonly nodeVersion: string
}

/** The machine as an update sees it. */
export class Machine extends Context.Service<Machine, MachineShape>()("agent-console/services/update/Machine") {
  static readonly layer = Layer.sync(Machine, () =>
    Machine.of({
      freeBytes: (directory) =>
        Effect.tryPromise(() => statfs(directory)).pipe(
          Effect.map(({ bavail, bsize }) => bavail * bsize),
          // A file system that does not tell is given a try.
          Effect.orElseSucceed(() => Number.POSITIVE_INFINITY)
        ),
      user: process.getuid?.(),
      nodeVersion: process.versions.node
    })
  )
}

export interface PreflightShape {
  /** Fails with the first thing that would make an update go wrong; what a cut-off run left is no reason. */
  readonly check: (options: { readonly afterUnfinished: boolean }) => Effect.Effect<void, UpdateFailure>
}

const refuse = (message: string) => new UpdateFailure({ step: "preflight", message })
const refuseIf = (problem: string | undefined) => (problem === undefined ? Effect.void : Effect.fail(refuse(problem)))

/** Where the files lie that an update writes; deeper ones belong to whoever owns these. */
const LOOKED_INTO = ["", ".git", "dist", "node_modules"]

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

/** Everything that is looked at before an update changes anything. */
export class Preflight extends Context.Service<Preflight, PreflightShape>()("agent-console/services/update/Preflight") {
  static readonly layer = Layer.effect(
    Preflight,
    Effect.gen(function* () {
      const { directory } = yield* UpdateTarget
      const machine = yield* Machine
      const checkout = yield* Checkout
      const packages = yield* PackageManager

      const ownership = Effect.gen(function* () {
        if (machine.user === undefined) return
        const own = (yield* ownerOf(directory, "")).at(0)?.owner ?? machine.user
        const entries = (yield* Effect.forEach(LOOKED_INTO, (folder) => entriesOf(directory, folder))).flat()
        yield* refuseIf(ownerProblem(machine.user, own, entries))
      })

      const writable = Effect.tryPromise({
        try: () => Promise.all(["", ".git"].map((name) => access(posix.join(directory, name), constants.W_OK))),
        catch: () => refuse("this user may not write in the checkout: give the folder to the user who runs the console")
      })

      const check = Effect.fn("Preflight.check")(function* ({
        afterUnfinished
      }: {
        readonly afterUnfinished: boolean
      }) {
        if (!(yield* checkout.isCheckout)) {
          return yield* refuse(
            "the console was not installed as a git checkout (or git is not installed): a package is updated by the tool that installed it, for example `npm install -g agent-console@latest`"
          )
        }
        yield* ownership
        yield* writable
        const npm = yield* packages.version.pipe(Effect.mapError(failedAt("preflight")))
        yield* refuseIf(toolProblem({ node: machine.nodeVersion, npm }))
        yield* refuseIf(spaceProblem(yield* machine.freeBytes(directory), NEEDED_BYTES))
        if (afterUnfinished) return
        const changes = yield* checkout.changes.pipe(Effect.mapError(failedAt("preflight")))
        yield* refuseIf(changesProblem(changes))
      })

      return Preflight.of({ check })
    })
  )
}
