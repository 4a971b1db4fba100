import { spawnSync } from "node:child_process"

const DEFINES = new URL("./sourceDefines.mjs", import.meta.url).href

/** Whether this system allows a process its own mounts. */
export const canMount = spawnSync("unshare", ["-Urm", "true"]).status === 0
if (!canMount) console.log("skipped: this system doesn't allow private mounts (unshare -Urm)")

const MOUNTS = {
  readOnly: 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"',
  small: 'mount -t tmpfs -o size=2m none "$1"',
  middling: 'mount -t tmpfs -o size=24m none "$1"'
}

/** Milliseconds for a test that runs a script on a disk of its own; the script has a little less. */
export const ON_DISK_MS = 120_000

/** Runs a test/support script with a folder on such a disk, mounted only for that process. */
export const runOnDisk = (kind: keyof typeof MOUNTS, folder: string, script: string) =>
  spawnSync(
    "unshare",
    ["-Urm", "sh", "-c", `${MOUNTS[kind]} && exec "$2" --import "$3" "$4" "$1"`, "sh"].concat(
      folder,
      process.execPath,
      DEFINES,
      new URL(script, import.meta.url).pathname
    ),
    { encoding: "utf8", timeout: ON_DISK_MS - 5000 }
  )

/** The lines a script prints for responses: method, path, status and body. */
export const toldAnswers = (stdout: string): ReadonlyArray<string> =>
  stdout
    .trim()
    .split("\n")
    .filter((line) => /^(GET|PUT|POST|DELETE) \//.test(line))

/** The same without the body. */
export const statusOf = (answer: string): string => answer.split(" ").slice(0, 3).join(" ")
