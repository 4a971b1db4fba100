import { spawnSync } from "node:child_process"

/** Replaces this process with `node …args`, so that signals and the exit code don't need forwarding. */
export const replaceProcess = (args: ReadonlyArray<string>): void => {
  if (process.execve !== undefined && process.platform !== "win32") {
    process.execve(process.execPath, [process.execPath, ...args], process.env)
  }
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1
}
