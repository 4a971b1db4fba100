import { spawnSync } from "node:child_process"
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

const run = (command: string, args: ReadonlyArray<string>): number =>
  spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" }).status ?? 1

/**
 * Runs one of the linters. They have 250 MB, and only those who change the code need them, so they are installed when
 * they're first used and whenever their versions change.
 */
const [name = "", ...args] = process.argv.slice(2)
const isReady = Object.entries(wanted).every(([tool, version]) => isInstalled(tool, version))
const status = isReady ? 0 : run("npm", ["ci", "--prefix", fileURLToPath(folder)])
process.exitCode = status === 0 ? run(fileURLToPath(new URL(`node_modules/.bin/${name}`, folder)), args) : status
