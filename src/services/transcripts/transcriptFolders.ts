import { Effect, FileSystem, Path } from "effect"
import type { SettingsShape } from "../platform/settings/Settings.ts"

/** One folder of transcripts and the agent they belong to. */
export interface TranscriptFolder {
  readonly path: string
  readonly agent: string
}

const DEFAULT_AGENT = "main"

/**
 * The folders with transcripts: SESSIONS_DIR, or every agent's in the gateway's home. Folders that a symbolic
 * link in the home points elsewhere are left out.
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
