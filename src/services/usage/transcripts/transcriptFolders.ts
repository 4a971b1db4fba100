import { Effect, FileSystem, Path } from "effect"
import type { SettingsShape } from "../../settings/Settings.ts"
import type { TranscriptFolder } from "./TranscriptState.ts"

const DEFAULT_AGENT = "main"

/**
 * The folders whose transcripts count: SESSIONS_DIR, else every agent's under the gateway's home (D60). A folder that a
 * symbolic link below the home puts elsewhere is left out.
 */
export const transcriptFolders = Effect.fn("transcriptFolders")(function* (settings: SettingsShape) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const realPath = (path: string) => fs.realPath(path).pipe(Effect.orElseSucceed(() => undefined))

  if (settings.sessionsDir !== undefined) {
    const path = yield* realPath(settings.sessionsDir)
    if (path === undefined) return []
    const agent = /\/agents\/([^/]+)\/sessions$/.exec(path)?.[1] ?? DEFAULT_AGENT
    return [{ path, agent }]
  }
  const root = yield* realPath(paths.join(settings.gatewayHome, "agents"))
  if (root === undefined) return []
  const agents = yield* fs.readDirectory(root).pipe(Effect.orElseSucceed(() => []))
  const folders: Array<TranscriptFolder> = []
  for (const agent of agents.toSorted()) {
    const path = paths.join(root, agent, "sessions")
    if ((yield* realPath(path)) === path) folders.push({ path, agent })
  }
  return folders
})
