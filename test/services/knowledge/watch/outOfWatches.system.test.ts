import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"

const WATCHER = fileURLToPath(new URL("../../../support/watchOnce.ts", import.meta.url))

/** A limit of its own for one process tree: the machine's stays as it is. */
const LIMITED = 'echo 1 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"'

const canLimit = spawnSync("unshare", ["-Ur", "sh", "-c", LIMITED, "true"]).status === 0
if (!canLimit) console.log("skipped: this system lets no process have a limit of file watches of its own (unshare -Ur)")

it.live.skipIf(!canLimit)(
  "out of file watches, saves are still announced, and a warning says why they are late (needs user namespaces)",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const ended = spawnSync("unshare", ["-Ur", "sh", "-c", LIMITED, process.execPath, WATCHER, folder], {
        encoding: "utf8",
        timeout: 12_000
      })
      assert.include(ended.stdout, "no file watches left", ended.stderr)
      assert.include(ended.stdout, "EVENT file.changed", ended.stderr)
    }).pipe(Effect.scoped)
)
