import { posix } from "node:path"
import { Effect, FileSystem } from "effect"

/** Whether the folder of the web app has its first page. */
export const webIsBuilt = (webRoot: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.exists(posix.join(webRoot, "index.html"))).pipe(
    Effect.orElseSucceed(() => false)
  )
