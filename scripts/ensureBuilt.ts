import { fileURLToPath } from "node:url"
import { build, canBuild } from "./build.ts"
import { isStale } from "./buildState.ts"

/** Builds if the build is missing or older than the sources, and says so in one line. Exits if the build fails. */
export const ensureBuilt = async (): Promise<void> => {
  if (!isStale(fileURLToPath(new URL("..", import.meta.url)))) return
  if (!canBuild()) process.exit(1)
  console.log("Building Agent Console (only needed after changes, takes half a minute) …")
  if (!(await build(true))) {
    console.error("The build failed. See the messages above.")
    process.exit(1)
  }
}
