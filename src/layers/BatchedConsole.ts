import { format } from "node:util"
import { Console, Effect, Latch, Layer } from "effect"

/** How long a line may wait to be written. */
const WAIT = "200 millis"
/** Characters that are written at once, however short the wait was. */
const ENOUGH = 16_384

/** Whoever reads the log may leave; the console goes on. */
const nobodyReads = () => {}

/**
 * The console of the log, which writes lines together. Standard output is written to synchronously, so under load one
 * line per request was a tenth of the processor's time. Waiting lines are also written when the process exits, whatever
 * the reason, short of being killed.
 */
export const BatchedConsole = Layer.effect(
  Console.Console,
  Effect.gen(function* () {
    const lines = Latch.makeUnsafe()
    let waiting = ""
    const write = () => {
      lines.closeUnsafe()
      if (waiting === "") return
      const text = waiting
      waiting = ""
      // Not by `console.log`, of which a debugger keeps the last thousand texts.
      process.stdout.write(`${text}\n`)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        // Stays: a failed write is told of later.
        if (!process.stdout.listeners("error").includes(nobodyReads)) process.stdout.on("error", nobodyReads)
        process.on("exit", write)
      }),
      () =>
        Effect.sync(() => {
          process.off("exit", write)
          write()
        })
    )
    yield* lines.await.pipe(
      Effect.andThen(Effect.sleep(WAIT)),
      Effect.andThen(Effect.sync(write)),
      Effect.forever,
      Effect.forkScoped
    )
    const log = (...parts: ReadonlyArray<unknown>) => {
      const [only] = parts
      const line = parts.length === 1 && typeof only === "string" ? only : format(...parts)
      waiting = waiting === "" ? line : `${waiting}\n${line}`
      if (waiting.length >= ENOUGH) write()
      else lines.openUnsafe()
    }
    const batched: Console.Console = Object.assign(Object.create(console), { log })
    return batched
  })
)
