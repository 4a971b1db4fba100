import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A directory that is removed with the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "agent-console-"))),
  (dir) => Effect.promise(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }))
)
