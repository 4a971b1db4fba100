import { open } from "node:fs/promises"
import { devNull } from "node:os"
import { Effect, Layer, Schema } from "effect"

/** The process or the system has reached its limit of open files. */
const isAtLimit = Schema.is(Schema.Struct({ code: Schema.Literals(["EMFILE", "ENFILE"]) }))

const LOOK_EVERY = "5 seconds"

const isFull = Effect.promise(() =>
  open(devNull).then(
    (file) => file.close().then(() => false),
    (cause: unknown) => isAtLimit(cause)
  )
)

/** Logs when the limit of open files is reached and when it no longer is: meanwhile, the system rejects connections. */
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
