import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { PAGE_BRAIN } from "./version.ts"

/** What goes into `dist`; any change to it makes the build stale. Tests and documents aren't included. */
export const BUILD_SOURCES = [
  "src",
  "practice-gateway/src",
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

/**
 * A digest of every source's name, size and modification time, so new, changed and deleted files all change it, and of
 * the kind of page that is built.
 */
export const sourcesDigest = (root: string): string => {
  const lines = [`PAGE_BRAIN ${PAGE_BRAIN}`]
  for (const name of BUILD_SOURCES) describe(root, name, lines)
  return createHash("sha256").update(lines.join("\n")).digest("hex")
}

/** Whether `dist` is missing, incomplete or built from different sources. */
export const isStale = (root: string): boolean => {
  const stamp = join(root, STAMP)
  return (
    !BUILD_RESULTS.every((name) => existsSync(join(root, name))) ||
    !existsSync(stamp) ||
    readFileSync(stamp, "utf8") !== sourcesDigest(root)
  )
}

/** Marks `dist` as incomplete while something is writing to it. */
export const clearStamp = (root: string): void => rmSync(join(root, STAMP), { force: true })

/** Records that `dist` was built from the sources with this digest, taken before the build started. */
export const writeStamp = (root: string, digest: string): void => {
  mkdirSync(dirname(join(root, STAMP)), { recursive: true })
  writeFileSync(join(root, STAMP), digest)
}
