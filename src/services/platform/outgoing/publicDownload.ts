import { Effect, Stream } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { isRedirect, redirectTarget } from "./redirectRules.ts"

/** More than any hub of models needs on the way to its files. */
const MOST_REDIRECTS = 5

/**
 * Asks for a public file, whose hub may only know where it's stored. That's why redirects are followed here, by hand:
 * at most five, to HTTPS or on the same server. Nothing is sent but the wish for its rest, so nothing can leak.
 */
export const publicDownload = Effect.fnUntraced(function* (client: HttpClient.HttpClient, url: string, from: number) {
  let asked = url
  for (let redirects = 0; ; redirects += 1) {
    const request = HttpClientRequest.get(asked)
    const response = yield* client.execute(
      from === 0 ? request : HttpClientRequest.setHeader(request, "range", `bytes=${from}-`)
    )
    const target = isRedirect(response.status) ? redirectTarget(asked, response.headers.location) : undefined
    if (target === undefined || redirects === MOST_REDIRECTS) return response
    // Its body is of no use, and the connection is free again without it.
    yield* response.stream.pipe(Stream.take(1), Stream.runDrain, Effect.ignore)
    asked = target
  }
})
