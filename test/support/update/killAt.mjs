import childProcess from "node:child_process"
import fs, { appendFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"

// Counts what a process does to the machine: programs it starts and changes of the disk. Each is noted in the file
// COUNT_INTO, and before number KILL_AT the process is killed, as by the power of the machine.
const into = process.env.COUNT_INTO
const killAt = Number(process.env.KILL_AT ?? 0)
let count = 0

const happens = (what) => {
  count += 1
  if (count === killAt) {
    appendFileSync(into, "killed\n")
    process.kill(process.pid, "SIGKILL")
  }
  appendFileSync(into, `${what}\n`)
}

const watch = (module, name) => {
  const original = module[name]
  module[name] = (...args) => {
    happens(name)
    return original(...args)
  }
}

for (const name of ["renameSync", "linkSync", "rename", "rm", "unlink"]) watch(fs, name)
watch(childProcess, "spawn")
syncBuiltinESMExports()
