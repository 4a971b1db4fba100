// Ends this process right before its n-th change of a file below a folder with this name (`node --import`): DIE_AT, DIE_IN.
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

let left = Number(process.env.DIE_AT)

const step = (path) => {
  if (!String(path).includes(process.env.DIE_IN)) return
  left -= 1
  if (left === 0) process.kill(process.pid, "SIGKILL")
}

for (const name of ["mkdir", "open", "rename", "rm"]) {
  const own = fs.promises[name]
  fs.promises[name] = async (path, ...more) => {
    step(path)
    const result = await own(path, ...more)
    if (name !== "open") return result
    for (const change of ["writeFile", "sync"]) {
      const call = result[change].bind(result)
      result[change] = (...args) => {
        step(path)
        return call(...args)
      }
    }
    return result
  }
}

for (const name of ["renameSync", "mkdirSync", "rmdirSync", "rmSync", "openSync", "fsyncSync"]) {
  const own = fs[name]
  fs[name] = (path, ...more) => {
    step(name === "fsyncSync" ? process.env.DIE_IN : path)
    return own(path, ...more)
  }
}

syncBuiltinESMExports()
