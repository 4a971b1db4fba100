import { realpath, stat } from "node:fs/promises"
import { posix } from "node:path"
import { Effect } from "effect"
import { failure } from "../../../contract/failures.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import { type GatewayAgent, withDefault } from "./gatewayAgents.ts"
import { defaultWorkspace, type Workspace, WorkspaceForbidden, WorkspaceMissing, workspaceAt } from "./Workspace.ts"

/** A workspace the console may work in. */
export interface PlacedWorkspace {
  readonly workspace: Workspace
  /** Whether its folder exists; if not, the first save creates it. */
  readonly exists: boolean
}

/** A folder's configured path and its real path. */
interface Base {
  readonly path: string
  readonly real: string
}

/** A path's real path. If it doesn't exist yet, that's the deepest existing folder plus the missing rest. */
const realPlace = Effect.fnUntraced(function* (path: string) {
  const missing: Array<string> = []
  for (let at = path; ; at = posix.dirname(at)) {
    const real = yield* attempt(() => realpath(at)).pipe(Effect.catchTag("FileMissing", () => Effect.undefined))
    if (real !== undefined) return { real: posix.join(real, ...missing), exists: missing.length === 0 }
    missing.unshift(posix.basename(at))
  }
})

const baseOf = (path: string) =>
  attempt(() => realpath(path)).pipe(
    Effect.map((real): ReadonlyArray<Base> => [{ path, real }]),
    Effect.orElseSucceed((): ReadonlyArray<Base> => [])
  )

const basesOf = (paths: ReadonlyArray<string>) => Effect.map(Effect.forEach(paths, baseOf), (found) => found.flat())

/**
 * Makes the agent whose workspace is at the path in the settings the default, because data without an agent's name
 * belongs to it. If there's no such agent, it's the gateway's default agent.
 */
export const ownDefault = Effect.fn("ownDefault")(function* (
  settings: SettingsShape,
  agents: ReadonlyArray<GatewayAgent>
) {
  const standard = yield* Effect.option(realPlace(defaultWorkspace(settings).root))
  const isThere = ({ workspace }: GatewayAgent) =>
    workspace === undefined || !posix.isAbsolute(workspace) || standard._tag === "None"
      ? Effect.succeed(false)
      : realPlace(posix.resolve(workspace)).pipe(
          Effect.map(({ real }) => real === standard.value.real),
          Effect.orElseSucceed(() => false)
        )
  const there = yield* Effect.filter(agents, isThere)
  const chosen = there.find(({ isDefault }) => isDefault) ?? there[0] ?? agents.find(({ isDefault }) => isDefault)
  return chosen === undefined ? agents : withDefault(agents, chosen.id)
})

/**
 * Checks the location of an agent's workspace. With links resolved, it must be below the gateway's folder, the
 * default agent's workspace or WORKSPACE_ROOT, and must not contain the folders with the gateway's or the console's
 * secrets. The first save creates a missing one, but only inside the gateway's own folders on this machine: elsewhere
 * it may be a path on another machine.
 */
export const placeWorkspace = Effect.fn("placeWorkspace")(function* (
  settings: SettingsShape,
  { id, name, isDefault, workspace: named }: GatewayAgent,
  isWatched: boolean
) {
  const standard = defaultWorkspace(settings)
  if (isDefault) return { workspace: standard, exists: true } satisfies PlacedWorkspace
  if (named === undefined || !posix.isAbsolute(named) || named.includes("\0")) {
    return yield* new WorkspaceMissing(failure("WORKSPACE_UNKNOWN", { name }))
  }
  const { real, exists } = yield* realPlace(posix.resolve(named)).pipe(
    Effect.catch(() => Effect.fail(new WorkspaceForbidden(failure("WORKSPACE_UNREADABLE", { name }))))
  )
  const own = yield* basesOf([standard.root, settings.gatewayHome])
  const added = yield* basesOf(settings.workspaceRoot === undefined ? [] : [settings.workspaceRoot])
  const base = [...own, ...added].find((folder) => isWithin(folder.real, real))
  if (!exists && (base === undefined || !own.includes(base))) {
    return yield* new WorkspaceMissing(failure("WORKSPACE_MISSING", { name }))
  }
  if (base === undefined) {
    return yield* new WorkspaceForbidden({
      message: `The workspace of ${name} is outside the gateway's folder, so the console won't open it. To allow it, set WORKSPACE_ROOT to a folder that contains it and restart the console.`
    })
  }
  const secret = yield* basesOf([settings.gatewayHome, settings.svcHome, settings.installDir])
  if (secret.some((folder) => isWithin(real, folder.real))) {
    return yield* new WorkspaceForbidden({
      message: `The workspace of ${name} contains files of the gateway or the console, so the console won't open it. Give the agent its own folder.`
    })
  }
  const isFolder =
    !exists ||
    (yield* Effect.orElseSucceed(
      attempt(() => stat(real)),
      () => undefined
    ))?.isDirectory()
  if (isFolder !== true) {
    return yield* new WorkspaceMissing(failure("WORKSPACE_IS_A_FILE", { name }))
  }
  // A file shared by two agents has one path, so it has one lock.
  const root = posix.join(base.path, posix.relative(base.real, real))
  return { workspace: workspaceAt(id, root, isWatched), exists } satisfies PlacedWorkspace
})
