import { fstatSync, readFileSync } from "node:fs"

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

/** The parent of a process, where the system tells it in a file; 0 where it doesn't, and where there's no such process. */
const parentOf = (pid: number): number => {
  try {
    return Number(/\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1])
  } catch {
    return 0
  }
}

/** Who started this: the parent, and with `npm run` npm itself, which may have a shell in between that outlives it. */
const startedBy = (): string => {
  const isScript = process.env.npm_lifecycle_event !== undefined
  return `${process.ppid} ${isScript ? parentOf(process.ppid) : ""}`
}

/** Aborted when this process is asked to end, or nobody is there any more who could ask. */
export const whenToStop = (): AbortSignal => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop)
  const starter = startedBy()
  setInterval(() => {
    if (startedBy() !== starter) stop()
  }, PARENT_CHECK_MS).unref()
  if (isFed()) {
    process.stdin.on("error", stop).on("close", stop).resume()
    process.stdin.unref?.()
  }
  return controller.signal
}
