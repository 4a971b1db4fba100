import { open } from "node:fs/promises"
import { devNull } from "node:os"
import { Effect, Layer, Schema } from "effect"

/** The process, or the whole machine, has as many files and connections open as it may. */
const isAtLimit = Schema.is(Schema.Struct({ code: Schema.Literals(["EMFILE", "ENFILE"]) }))

const LOOK_EVERY = "5 seconds"

const isFull = Effect.promise(() =>
  open(devNull).then(
    (file) => file.close().then(() => false),
    (cause: unknown) => isAtLimit(cause)
  )
)

/**
 * Logs one line when no more files can be opened, and one when that's over: the system then closes new connections
 * without telling anybody why.
 */
export const watchOpenFiles = (asked: Effect.Effect<boolean> = isFull) => {
  let wasAtLimit = false
  const look = Effect.gen(function* () {
    const atLimit = yield* asked
    if (atLimit === wasAtLimit) return
    wasAtLimit = atLimit
    yield* atLimit
      ? Effect.logError(
          "As many files and connections are open as the system allows, so new connections are refused: raise the limit (LimitNOFILE of the service, or ulimit -n)"
        )
      : Effect.logInfo("Files and connections can be opened again")
  })
  return look.pipe(Effect.delay(LOOK_EVERY), Effect.forever, Effect.forkScoped, Effect.asVoid)
}

export const OpenFilesWatch = Layer.effectDiscard(watchOpenFiles())
