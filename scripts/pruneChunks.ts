import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const FOLDER = "dist/chunks"
const NAMES = "dist/.chunks.json"

const namesOfLastBuild = (root: string): ReadonlyArray<string> => {
  const path = join(root, NAMES)
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []
}

/**
 * Removes the chunks that neither this build, begun at `startedAt` (epoch milliseconds), nor the one before has written.
 * A console that runs goes on loading the chunks of the build it was started from, and while a build runs, or after one
 * was killed, the program of the last whole build still starts.
 */
export const pruneChunks = (root: string, startedAt: number): void => {
  const folder = join(root, FOLDER)
  const all = existsSync(folder) ? readdirSync(folder) : []
  const built = all.filter((name) => statSync(join(folder, name)).mtimeMs >= startedAt)
  const kept = new Set([...built, ...namesOfLastBuild(root)])
  for (const name of all) if (!kept.has(name)) rmSync(join(folder, name), { force: true })
  writeFileSync(join(root, NAMES), JSON.stringify(built))
}
