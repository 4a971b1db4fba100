import { fstatSync, readFileSync } from "node:fs"

const PARENT_CHECK_MS = 1000
/** What shells report for a program that Ctrl-C ended. */
const FORCED = 130

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

/** npm hands on the Ctrl-C that this process gets from the terminal, too: two within this time are one. */
const SAME_PRESS_MS = 500

/**
 * Aborted when this process is asked to end, or nobody is there any more who could ask. Who asks a second time doesn't
 * want to wait: then it ends at once, and what it has started ends by itself.
 */
export const whenToStop = (): AbortSignal => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  let askedAt: number | undefined
  const ask = () => {
    const now = performance.now()
    if (askedAt !== undefined && now - askedAt > SAME_PRESS_MS) process.exit(FORCED)
    askedAt ??= now
    stop()
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, ask)
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
