import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = new URL("../tools/", import.meta.url)
const wanted: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("package.json", folder), "utf8")
).dependencies

const isInstalled = (name: string, version: string): boolean => {
  const manifest = new URL(`node_modules/${name}/package.json`, folder)
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version
}

/** On Windows, programs of npm are scripts of its shell. */
const shell = process.platform === "win32"

/**
 * Installs the linters unless they're there. They have 250 MB, and only those who change the code need them, so they are
 * installed when they're first used and whenever their versions change. Throws if npm fails.
 */
export const ensureTools = (): void => {
  if (Object.entries(wanted).every(([tool, version]) => isInstalled(tool, version))) return
  execFileSync("npm", ["ci", "--prefix", fileURLToPath(folder)], { stdio: "inherit", shell })
}

/** The file that starts one of the linters. */
export const toolPath = (name: string): string => fileURLToPath(new URL(`node_modules/.bin/${name}`, folder))

/** Runs one of the linters: `node scripts/tool.ts biome check .` */
if (import.meta.main) {
  const [name = "", ...args] = process.argv.slice(2)
  ensureTools()
  process.exitCode = spawnSync(toolPath(name), args, { stdio: "inherit", shell }).status ?? 1
}
