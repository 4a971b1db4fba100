import { Effect } from "effect"

/** Whether a person sits at a terminal and can answer. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks for one line on the terminal; the question goes to stderr. An ended input is an empty answer. */
export const askLine = (question: string): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    const { stdin, stderr } = process
    let typed = ""
    const close = () => {
      stdin.off("data", onData)
      stdin.off("end", onEnd)
      stdin.pause()
    }
    const onEnd = () => {
      close()
      resume(Effect.succeed(typed.trim()))
    }
    const onData = (chunk: string | Buffer) => {
      typed += chunk.toString()
      // The terminal hands over whole lines.
      const end = typed.indexOf("\n")
      if (end === -1) return
      close()
      resume(Effect.succeed(typed.slice(0, end).trim()))
    }
    stderr.write(question)
    stdin.on("data", onData)
    stdin.once("end", onEnd)
    stdin.resume()
    return Effect.sync(close)
  })

/** Asks for a yes or no; only a clear yes is one unless `byDefault` says otherwise for an empty answer. */
export const askYesNo = (question: string, byDefault = false): Effect.Effect<boolean> =>
  Effect.map(askLine(`${question} [${byDefault ? "Y/n" : "y/N"}] `), (answer) =>
    answer === "" ? byDefault : /^y(es)?$/i.test(answer)
  )
