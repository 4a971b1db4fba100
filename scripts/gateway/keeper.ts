import { spawn } from "node:child_process"
import { openSync } from "node:fs"
import { rm } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"

/** A gateway that was asked to stop has so long. */
const STOP_MS = 15_000

/**
 * Runs the gateway for the process that holds the other end of standard input, and stops it when that end closes: also when
 * that process was killed and couldn't clean up. Says the gateway's process number, and later that it ended by itself.
 * Arguments: the folder to run in, whether to remove it afterwards, a file for what the gateway writes (none: standard
 * error), and the program with its arguments.
 */
const [folder = "", removed = "", output = "", ...program] = process.argv.slice(2)
const written = output === "" ? 2 : openSync(output, "a")
const gateway = spawn(process.execPath, program, { cwd: folder, stdio: ["ignore", written, written], detached: true })
const tell = (line: string) => process.stdout.write(`${line}\n`)
const ended = new Promise<void>((resolve) => {
  gateway.once("exit", (code, signal) => {
    tell(`ended ${signal ?? code}`)
    resolve()
  })
  gateway.once("error", ({ message }) => {
    tell(`ended ${message}`)
    resolve()
  })
})

/** Sends a signal to the gateway and what it has started. */
const signalGroup = (signal: NodeJS.Signals) => {
  try {
    if (gateway.pid !== undefined) process.kill(-gateway.pid, signal)
  } catch {
    // None of them is there any more.
  }
}

// Who reads may be gone; then there is nobody to tell.
process.stdout.on("error", () => {})
// A signal to everything at once must not end this one before the gateway.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.stdin.destroy())
tell(`pid ${gateway.pid}`)

process.stdin.resume()
await new Promise<void>((resolve) => process.stdin.once("close", resolve))
gateway.kill("SIGTERM")
await Promise.race([ended, sleep(STOP_MS)])
signalGroup("SIGKILL")
await ended
if (removed === "remove") await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
process.exit()
