import { randomBytes } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import { posix } from "node:path"
import { Effect, Result } from "effect"
import { errnoOf } from "../../platform/storage/fileErrors.ts"

/** In front of the process that writes it, and of letters by chance. */
const MARK = ".unfinished-"

/** What a backup or restore works on is named by this and its process, so that the next one knows what was left behind. */
export const unfinishedName = (before = ""): string =>
  `${before}${MARK}${process.pid}-${randomBytes(4).toString("hex")}`

const isRunning = (pid: number): boolean =>
  Result.match(Result.try({ try: () => process.kill(pid, 0), catch: errnoOf }), {
    onSuccess: () => true,
    onFailure: (code) => code === "EPERM"
  })

/** Whether a name is of something that was left behind by a process that has ended. */
const isLeftBehind = (name: string, before: string): boolean => {
  const [pid] = name.startsWith(`${before}${MARK}`) ? name.slice(before.length + MARK.length).split("-") : []
  return pid !== undefined && /^\d+$/.test(pid) && !isRunning(Number(pid))
}

/** Removes from a folder what backups and restores that were cut off have left there. */
export const removeUnfinished = (folder: string, before = ""): Effect.Effect<void> =>
  Effect.ignore(
    Effect.tryPromise(() =>
      readdir(folder).then((names) =>
        Promise.all(
          names
            .filter((name) => isLeftBehind(name, before))
            .map((name) => rm(posix.join(folder, name), { recursive: true, force: true }))
        )
      )
    )
  )
