import { DateTime, Effect, FileSystem, Path, Schema } from "effect"
import { demoFiles, demoLog } from "./demoFiles.ts"

/** The demo can't write to its own folder. */
export class DemoHomeError extends Schema.TaggedError<DemoHomeError>()("DemoHomeError", { message: Schema.String }) {}

/**
 * Creates the demo's folders: its agents' workspaces with documents, files and a little memory, and the console's own
 * with a short log. Existing files are left alone.
 */
export const prepareDemoHome = Effect.fn("prepareDemoHome")(
  function* ({ gatewayHome, svcHome }: { readonly gatewayHome: string; readonly svcHome: string }) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const now = yield* DateTime.now
    const write = Effect.fnUntraced(function* (target: string, text: string) {
      yield* fs.makeDirectory(path.dirname(target), { recursive: true, mode: 0o700 })
      yield* fs
        .writeFileString(target, text, { flag: "wx", mode: 0o600 })
        .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
    })
    for (const [name, text] of Object.entries(demoFiles(DateTime.formatIsoDate(now))))
      yield* write(path.join(gatewayHome, name), text)
    yield* write(path.join(svcHome, "agent-log.json"), JSON.stringify(demoLog(DateTime.toEpochMillis(now))))
  },
  Effect.catchTag("PlatformError", () =>
    Effect.fail(
      new DemoHomeError({
        message: "The demo can't write to its own folder: set SVC_HOME to a folder you can write to."
      })
    )
  )
)
