import { Effect } from "effect"

/** Everything on stdin, without the line break at its end. */
export const readPipedText: Effect.Effect<string> = Effect.promise(async () => {
  process.stdin.setEncoding("utf8")
  let text = ""
  for await (const chunk of process.stdin) text += chunk
  return text.replace(/\r?\n$/, "")
})
