import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Runs the real git with a test identity, without the settings of the user who runs the tests. */
export const git = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "ignore"]
  })

/** A repository with one commit of `a.txt`. */
export const makeRepository = (folder: string, ...init: ReadonlyArray<string>): string => {
  mkdirSync(folder, { recursive: true })
  git(folder, "init", "--quiet", "--initial-branch=main", ...init)
  writeFileSync(join(folder, "a.txt"), "a")
  git(folder, "add", ".")
  git(folder, "commit", "--quiet", "-m", "One")
  return folder
}

/** A program that leaves a file behind for every name it's started by, and then passes its input on. */
export const makeTrap = (folder: string) => {
  const trap = join(folder, "trap")
  const sprung = join(folder, "sprung")
  mkdirSync(sprung, { recursive: true })
  writeFileSync(trap, `#!/bin/sh\ntouch "${sprung}/\${1:-run}"\nexec cat\n`)
  chmodSync(trap, 0o755)
  return { trap, whatSprang: (): ReadonlyArray<string> => (existsSync(sprung) ? readdirSync(sprung).sort() : []) }
}
