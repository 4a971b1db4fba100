import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** What goes into `dist`; a change to any of it makes the build stale. Tests and documents are not among them. */
export const BUILD_SOURCES = [
  "src",
  "web/src",
  "web/build",
  "web/public",
  "web/index.html",
  "web/vite.config.ts",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "scripts/version.ts",
  "scripts/leanHttp.ts"
]

const BUILD_RESULTS = ["dist/cli.js", "dist/web/index.html"]
const STAMP = "dist/.build"

const describe = (root: string, name: string, lines: Array<string>): void => {
  const path = join(root, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (stat.isDirectory()) {
    for (const child of readdirSync(path).sort()) describe(root, `${name}/${child}`, lines)
  } else {
    lines.push(`${name} ${stat.size} ${stat.mtimeMs}`)
  }
}

/** A digest over name, size and modification time of every source: new, changed and deleted files all change it. */
export const sourcesDigest = (root: string): string => {
  const lines: Array<string> = []
  for (const name of BUILD_SOURCES) describe(root, name, lines)
  return createHash("sha256").update(lines.join("\n")).digest("hex")
}

/** Whether `dist` is missing, incomplete or made from other sources than those that are there now. */
export const isStale = (root: string): boolean => {
  const stamp = join(root, STAMP)
  return (
    !BUILD_RESULTS.every((name) => existsSync(join(root, name))) ||
    !existsSync(stamp) ||
    readFileSync(stamp, "utf8") !== sourcesDigest(root)
  )
}

/** Forgets that `dist` was ever whole, for as long as something writes into it. */
export const clearStamp = (root: string): void => rmSync(join(root, STAMP), { force: true })

/** Notes that `dist` was made from the sources with this digest, taken before the build began. */
export const writeStamp = (root: string, digest: string): void => {
  mkdirSync(dirname(join(root, STAMP)), { recursive: true })
  writeFileSync(join(root, STAMP), digest)
}
