// Runs on old versions of Node: only what Node 14 supports, and no Effect.
import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { exitCodes } from "./exitCodes.ts"

const binaryIn = (folder: string): string =>
  join(folder, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node")

/** The folders of the versions that updates of a checkout have kept. */
const keptIn = (folder: string): ReadonlyArray<string> => {
  const kept = join(folder, ".update", "kept")
  return existsSync(kept) ? readdirSync(kept).map((name) => join(kept, name)) : []
}

/**
 * The binary of the npm package `node`, searched for in every `node_modules` from here up; where there's none, that of a
 * version to go back to, so that `update --rollback` works when the packages of this one are broken.
 */
export const findNode = (from: string): string | undefined => {
  const binary = [from].concat(keptIn(from)).map(binaryIn).find(existsSync)
  if (binary !== undefined) return binary
  const parent = dirname(from)
  return parent === from ? undefined : findNode(parent)
}

/** Runs the program again on the Node installed with it, passing on signals and the exit code. */
export const rerun = (oldest: number): void => {
  const refuse = (why: string): void => {
    console.error(
      `agent-console needs Node ${oldest} or newer, but this is ${process.version}; ${why}. Install a newer Node and try again.`
    )
    process.exit(exitCodes.node)
  }
  const node = findNode(dirname(fileURLToPath(import.meta.url)))
  // The variable keeps a wrong binary from restarting itself forever.
  if (node === undefined || process.env.AGENT_CONSOLE_RERUN !== undefined) {
    refuse("the npm package `node` isn't installed either")
    return
  }
  // The console itself: its settings are in these variables.
  const child = spawn(node, process.argv.slice(1), {
    stdio: "inherit",
    env: Object.assign({}, process.env, { AGENT_CONSOLE_RERUN: "1" })
  })
  const signals: Array<NodeJS.Signals> = ["SIGTERM", "SIGINT", "SIGHUP"]
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on("error", () => refuse("the one installed with the program doesn't start"))
  child.on("exit", (code, signal) => {
    process.exit(code !== null ? code : 128 + (signal === null ? 0 : constants.signals[signal]))
  })
}
