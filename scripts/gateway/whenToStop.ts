import { fstatSync } from "node:fs"

const PARENT_CHECK_MS = 1000

/** Whether standard input belongs to a program, which closes it when it ends; a terminal and /dev/null don't. */
const isFed = (): boolean => {
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}

/** Aborted when this process is asked to end, or nobody is there any more who could ask. */
export const whenToStop = (): AbortSignal => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop)
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, PARENT_CHECK_MS).unref()
  if (isFed()) {
    process.stdin.on("error", stop).on("close", stop).resume()
    process.stdin.unref?.()
  }
  return controller.signal
}
