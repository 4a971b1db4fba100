import { NodeServices, NodeTerminal } from "@effect/platform-node"
import { Effect, Layer, Redacted, Terminal } from "effect"
import { Prompt } from "effect/cli"

/** Whether there's a terminal with someone to answer. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

const theme = () => Prompt.makeTheme({ colors: process.stderr.isTTY === true && process.stderr.hasColors() })

/** The terminal with its output on stderr, because stdout is for a command's result. */
const OnStderr = Layer.effect(
  Terminal.Terminal,
  Effect.map(Terminal.Terminal, (terminal) =>
    Terminal.make({
      ...terminal,
      columns: Effect.sync(() => process.stderr.columns ?? 0),
      display: (text) => Effect.callback<void>((resume) => void process.stderr.write(text, () => resume(Effect.void)))
    })
  )
).pipe(Layer.provide(NodeTerminal.layer), Layer.merge(Layer.sync(Prompt.Theme, theme)))

/** Asks one question. Cancelling it (Ctrl-C, Ctrl-D, Escape) ends the program. */
const ask = <A>(prompt: Prompt.Prompt<A>): Effect.Effect<A> =>
  Prompt.run(prompt).pipe(
    Effect.catchTag("QuitError", () => Effect.interrupt),
    Effect.provide(Layer.provideMerge(OnStderr, NodeServices.layer))
  )

/** Asks for one line. */
export const askLine = (message: string): Effect.Effect<string> =>
  Effect.map(ask(Prompt.String({ message })), (answer) => answer.trim())

/** Asks for one line of which nothing is shown. */
export const askHidden = (message: string): Effect.Effect<string> =>
  Effect.map(ask(Prompt.Hidden({ message })), Redacted.value)

/**
 * Asks for a yes or no; only a clear yes is one unless `byDefault` says otherwise for an empty answer. A whole line,
 * not one key: the Enter of those who type "y" and Enter would answer the next question.
 */
export const askYesNo = (question: string, byDefault = false): Effect.Effect<boolean> =>
  Effect.map(askLine(`${question} [${byDefault ? "Y/n" : "y/N"}]`), (answer) =>
    answer === "" ? byDefault : /^y(es)?$/i.test(answer)
  )

/** Everything on stdin, without the line break at its end. */
export const readPipedText: Effect.Effect<string> = Effect.promise(async () => {
  process.stdin.setEncoding("utf8")
  let text = ""
  for await (const chunk of process.stdin) text += chunk
  return text.replace(/\r?\n$/, "")
})
