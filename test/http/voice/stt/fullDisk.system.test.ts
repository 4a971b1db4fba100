import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { canMount, ON_DISK_MS, runOnDisk } from "../../../support/ownMounts.ts"

it.live.skipIf(!canMount)(
  "a model that does not fit on the disk says so and takes no room any more (needs mounts of its own)",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const ended = runOnDisk("small", folder, "./fullModelDisk.ts")
      const told = JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "")
      assert.deepInclude(told.data, {
        model: "base",
        status: "failed",
        error: "the disk is full: free up some space for the models, then try again"
      })
      assert.deepStrictEqual(told.left, [])
    }),
  ON_DISK_MS
)
