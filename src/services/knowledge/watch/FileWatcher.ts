import { Effect, FiberMap, Layer, Stream } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import { Answering } from "../../platform/startup/Answering.ts"
import { AgentWorkspaces } from "../agents/AgentWorkspaces.ts"
import { defaultWorkspace, type Workspace } from "../agents/Workspace.ts"
import { watchWorkspace } from "./watchWorkspace.ts"

const keyOf = ({ agent, root }: Workspace): string => `${agent} ${root}`

/** Watches the workspaces of all agents: the default one's from the start, the others' once the gateway lists them. */
export const FileWatcher = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* Settings
    const workspaces = yield* AgentWorkspaces
    const answering = yield* Answering
    const watched = yield* FiberMap.make<string>()
    const watch = (workspace: Workspace) => watchWorkspace(workspace, settings.watchWorkspaceRecursive)

    const follow = Effect.fnUntraced(function* (others: ReadonlyArray<Workspace>) {
      const wanted = new Set(others.map(keyOf))
      const gone = Array.from(watched, ([key]) => key).filter((key) => !wanted.has(key))
      yield* Effect.forEach(gone, (key) => FiberMap.remove(watched, key), { discard: true })
      yield* Effect.forEach(
        others,
        (workspace) => FiberMap.run(watched, keyOf(workspace), watch(workspace), { onlyIfMissing: true }),
        { discard: true }
      )
    })

    yield* Effect.forkScoped(Effect.andThen(answering.wait, watch(defaultWorkspace(settings))))
    yield* Effect.forkScoped(Effect.andThen(answering.wait, Stream.runForEach(workspaces.others, follow)))
  })
)
