import { spawnSync } from "node:child_process"

const DEFINES = new URL("./sourceDefines.mjs", import.meta.url).href

/** Whether this system lets a process have mounts of its own. */
export const canMount = spawnSync("unshare", ["-Urm", "true"]).status === 0
if (!canMount) console.log("skipped: this system lets no process have mounts of its own (unshare -Urm)")

const MOUNTS = {
  readOnly: 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"',
  small: 'mount -t tmpfs -o size=2m none "$1"'
}

/** Runs a script of test/support with a folder as its argument, which lies on such a disk for this process alone. */
export const runOnDisk = (kind: keyof typeof MOUNTS, folder: string, script: string) =>
  spawnSync(
    "unshare",
    ["-Urm", "sh", "-c", `${MOUNTS[kind]} && exec "$2" --import "$3" "$4" "$1"`, "sh"].concat(
      folder,
      process.execPath,
      DEFINES,
      new URL(script, import.meta.url).pathname
    ),
    { encoding: "utf8", timeout: 14_000 }
  )

/** The lines in which a script tells answers: method, path, status and body. */
export const toldAnswers = (stdout: string): ReadonlyArray<string> =>
  stdout
    .trim()
    .split("\n")
    .filter((line) => /^(GET|PUT|POST|DELETE) \//.test(line))

/** The same without the body. */
export const statusOf = (answer: string): string => answer.split(" ").slice(0, 3).join(" ")
