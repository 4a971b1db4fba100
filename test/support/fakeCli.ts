import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem } from "effect"
import { temporaryFolder } from "./fileServices.ts"

/** A fake of the gateway's command-line tool, from the body of a shell script; returns its path. */
export const fakeCli = Effect.fnUntraced(
  function* (body: string) {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* temporaryFolder
    const path = `${folder}/openclaw`
    yield* fs.writeFileString(path, `#!/bin/sh\nhere='${folder}'\n${body}\n`, { mode: 0o755 })
    return { path, folder }
  },
  Effect.provide(NodeServices.layer),
  Effect.orDie
)
