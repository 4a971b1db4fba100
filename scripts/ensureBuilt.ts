import { fileURLToPath } from "node:url"
import { build } from "./build.ts"
import { isStale } from "./buildState.ts"

/** Builds when the build is missing or older than the sources; says so in one line. Ends the process when it fails. */
export const ensureBuilt = async (): Promise<void> => {
  if (!isStale(fileURLToPath(new URL("..", import.meta.url)))) return
  console.log("Building Agent Console (only after a change, takes a few seconds) …")
  if (!(await build(true))) {
    console.error("The build failed; the messages above say where.")
    process.exit(1)
  }
}
