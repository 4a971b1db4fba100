import { Effect } from "effect"
import { exitCodes } from "./exitCodes.ts"
import { Stop } from "./Stop.ts"

const LINE_ENDS = ["\r", "\n", "\u0004"]
const CTRL_C = "\u0003"
const ERASE = /[^\u007f\b]?[\u007f\b]/u

/** What a line looks like after its erase keys did their work. */
export const applyErase = (typed: string): string => (ERASE.test(typed) ? applyErase(typed.replace(ERASE, "")) : typed)

/** Asks for one line on the terminal without showing it; the question goes to stderr, so that stdout stays clean. */
export const readHiddenLine = (question: string): Effect.Effect<string, Stop> =>
  Effect.callback<string, Stop>((resume) => {
    const { stdin, stderr } = process
    let typed = ""
    const close = () => {
      stdin.off("data", onData)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write("\n")
    }
    const onData = (chunk: string) => {
      typed += chunk
      if (typed.includes(CTRL_C)) {
        close()
        resume(Effect.fail(new Stop({ message: "", exitCode: exitCodes.interrupted })))
        return
      }
      const end = [...typed].findIndex((character) => LINE_ENDS.includes(character))
      if (end === -1) return
      close()
      resume(Effect.succeed(applyErase([...typed].slice(0, end).join(""))))
    }
    // Before the question: whoever answers at once must not see the answer.
    stdin.setRawMode(true)
    stderr.write(question)
    stdin.setEncoding("utf8")
    stdin.on("data", onData)
    stdin.resume()
    return Effect.sync(close)
  })

/** Everything on stdin, without the line break at its end. */
export const readPipedText: Effect.Effect<string> = Effect.promise(async () => {
  process.stdin.setEncoding("utf8")
  let text = ""
  for await (const chunk of process.stdin) text += chunk
  return text.replace(/\r?\n$/, "")
})
