import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const FOLDER = "dist/chunks"
const NAMES = "dist/.chunks.json"

const namesOfLastBuild = (root: string): ReadonlyArray<string> => {
  const path = join(root, NAMES)
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []
}

/**
 * Removes chunks written neither by this build, started at `startedAt` (epoch milliseconds), nor by the previous one. A
 * running console keeps loading the chunks of its own build, and during a build or after a killed one, the last
 * complete build still starts.
 */
export const pruneChunks = (root: string, startedAt: number): void => {
  const folder = join(root, FOLDER)
  const all = existsSync(folder) ? readdirSync(folder) : []
  const built = all.filter((name) => statSync(join(folder, name)).mtimeMs >= startedAt)
  const kept = new Set([...built, ...namesOfLastBuild(root)])
  for (const name of all) if (!kept.has(name)) rmSync(join(folder, name), { force: true })
  writeFileSync(join(root, NAMES), JSON.stringify(built))
}
