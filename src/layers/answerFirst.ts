import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Effect } from "effect"
import type { FirstAnswer } from "../http/static/assetListener.ts"

/** Puts an answer in front of the request listeners a server has, until the surrounding scope closes. */
export const answerFirst = (server: Server, answer: FirstAnswer) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const listeners = server.listeners("request")
      const first = (request: IncomingMessage, response: ServerResponse) => {
        if (answer(request, response)) return
        for (const listener of listeners) Reflect.apply(listener, server, [request, response])
      }
      server.removeAllListeners("request")
      server.on("request", first)
      return { listeners, first }
    }),
    ({ listeners, first }) =>
      Effect.sync(() => {
        server.off("request", first)
        for (const listener of listeners) server.on("request", (...args) => Reflect.apply(listener, server, args))
      })
  )
