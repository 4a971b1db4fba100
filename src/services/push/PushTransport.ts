import { type LookupAddress, lookup } from "node:dns"
import { Agent as HttpAgent, request as requestHttp } from "node:http"
import { Agent as HttpsAgent, request as requestHttps } from "node:https"
import type { LookupFunction } from "node:net"
import { Context, Effect, Layer, RcMap, Schema, Semaphore } from "effect"
import { isPublicAddress } from "./endpointRules.ts"

/** A request to a push service or to the sink in the settings. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The address is from the settings, so it may be on this machine or its network. */
  readonly isTrusted: boolean
}

/** There was no response; the request may have arrived, unless the address was private. */
export class NoResponse extends Schema.TaggedError<NoResponse>()("NoResponse", {
  silence: Schema.Literals(["unreachable", "timeout", "private"])
}) {}

export interface PushResponse {
  readonly status: number
  readonly retryAfter?: string | undefined
}

export interface PushTransportShape {
  /** Sends a request and returns the response; follows no redirects and times out after 10 seconds. */
  readonly post: (request: OutgoingRequest) => Effect.Effect<PushResponse, NoResponse>
}

/** How long a response may take to begin. */
const PATIENCE = "10 seconds"
/** The maximum of simultaneous requests to one origin, so that a hanging one doesn't delay other origins. */
const AT_ONCE = 16
/** Resolves a name to all of its addresses. */
export type ResolveName = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

/** The resolver of host names; tests replace it. */
export const NameResolution = Context.Reference<ResolveName>("agent-console/services/push/NameResolution", {
  defaultValue: () => (hostname, callback) =>
    lookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []))
})

class PrivateAddress extends Error {}

/**
 * Resolves a name for a connection, which then uses exactly these addresses, so that a changed record has no effect.
 * One private address is enough to refuse a name.
 */
const publicLookup =
  (resolve: ResolveName): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      const [first] = addresses
      if (error !== null) return callback(error, "")
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new PrivateAddress(), "")
      }
      if (options.all === true) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    })

const openAgents = (resolve: ResolveName) => {
  const kept = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: AT_ONCE }
  return {
    public: new HttpsAgent({ ...kept, lookup: publicLookup(resolve) }),
    trusted: new HttpsAgent(kept),
    plain: new HttpAgent(kept)
  }
}

/** Sends requests to push services and to the sink in the settings. */
export class PushTransport extends Context.Service<PushTransport, PushTransportShape>()(
  "agent-console/services/push/PushTransport"
) {
  static readonly layer = Layer.effect(
    PushTransport,
    Effect.gen(function* () {
      const resolve = yield* NameResolution
      const agents = yield* Effect.acquireRelease(
        Effect.sync(() => openAgents(resolve)),
        (opened) =>
          Effect.sync(() => {
            for (const agent of Object.values(opened)) agent.destroy()
          })
      )
      const places = yield* RcMap.make({ lookup: (_origin: string) => Semaphore.make(AT_ONCE) })

      const send = ({ url, headers, body, isTrusted }: OutgoingRequest): Effect.Effect<PushResponse, NoResponse> =>
        Effect.callback((resume) => {
          const isPlain = url.startsWith("http:")
          const options = { method: "POST", headers: { ...headers, "content-length": body.length } }
          const request = isPlain
            ? requestHttp(url, { ...options, agent: agents.plain })
            : requestHttps(url, { ...options, agent: isTrusted ? agents.trusted : agents.public })
          request.on("error", (error) => {
            const silence = error instanceof PrivateAddress ? "private" : "unreachable"
            resume(Effect.fail(new NoResponse({ silence })))
          })
          request.on("response", (response) => {
            response.on("error", () => {})
            // The body isn't needed, and an endless one would keep its connection open.
            if (response.headers["content-length"] === "0" || response.statusCode === 204) response.resume()
            else response.destroy()
            resume(Effect.succeed({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] }))
          })
          request.end(body)
          return Effect.sync(() => request.destroy())
        })

      return PushTransport.of({
        post: Effect.fnUntraced(function* (request) {
          const place = yield* RcMap.get(places, new URL(request.url).origin)
          return yield* send(request).pipe(
            Effect.timeoutOrElse({
              duration: PATIENCE,
              orElse: () => Effect.fail(new NoResponse({ silence: "timeout" }))
            }),
            place.withPermit
          )
        }, Effect.scoped)
      })
    })
  )
}
