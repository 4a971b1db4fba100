import { fdatasyncSync } from "node:fs"
import { Layer } from "effect"
import { DiskSync } from "../../src/services/platform/sqlite/syncedLog.ts"

/**
 * Syncs the console's database before anything else runs. The test's clock doesn't wait for the thread that syncs it
 * otherwise, so a test that turns that clock would meet changes that are still on their way to the disk.
 */
export const diskInStep = Layer.succeed(DiskSync, (file, done) => {
  fdatasyncSync(file)
  done(null)
})
