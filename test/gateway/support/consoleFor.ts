import { Effect, Schema } from "effect"
import { startConsole } from "./consoleProcess.ts"

const decodeBody = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Unknown))

/** A console of its own before a gateway, and how to send it JSON. */
export const consoleFor = Effect.fnUntraced(function* (variables: Readonly<Record<string, string>>) {
  const { url } = yield* startConsole(variables)
  return Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const response = yield* Effect.tryPromise(() =>
      fetch(`${url}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    )
    const answer = yield* Effect.tryPromise(() => response.json()).pipe(Effect.flatMap(decodeBody))
    return { status: response.status, body: answer }
  })
})
