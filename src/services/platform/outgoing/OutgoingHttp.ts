import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import type { SettingsShape } from "../settings/Settings.ts"

/**
 * The client for the console's requests to other servers. It doesn't follow redirects: the other server could send a
 * token, a key or a recording anywhere.
 */
export const outgoingHttp = Effect.map(
  HttpClient.HttpClient,
  HttpClient.transformResponse(Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** The same client for libraries that get it from the context, such as the one that sends telemetry. */
export const OutgoingHttp = Layer.effect(HttpClient.HttpClient, outgoingHttp).pipe(Layer.provide(FetchHttpClient.layer))

const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308])

/** Whether a status is a redirect; 304 is the answer to a condition. */
export const isRedirect = (status: number): boolean => REDIRECTS.has(status)

/**
 * The target of a redirect of a public download, if it's allowed: any HTTPS address, or one on the same server, which
 * may be a mirror without HTTPS.
 */
export const redirectTarget = (asked: string, location: string | undefined): string | undefined => {
  if (location === undefined || !URL.canParse(location, asked)) return undefined
  const target = new URL(location, asked)
  const isAllowed = target.protocol === "https:" || target.origin === new URL(asked).origin
  return isAllowed && target.username === "" && target.password === "" ? target.href : undefined
}

/** More than any model hub needs. */
const MOST_REDIRECTS = 5

/**
 * Downloads a public file from byte `from`. Model hubs redirect to their storage, so redirects are followed here: at
 * most five, to HTTPS or on the same server. The request contains nothing secret.
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
    // Discarding the body frees the connection.
    yield* response.stream.pipe(Stream.take(1), Stream.runDrain, Effect.ignore)
    asked = target
  }
})

const THIS_MACHINE = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether an address is on this machine, by its name alone: a name server's answer can change. */
export const isOnThisMachine = (address: string): boolean =>
  URL.canParse(address) && THIS_MACHINE.test(new URL(address).hostname)

/** Whether the console may send requests there: the demo sends nothing to other machines. */
export const mayReach = ({ isDemo }: Pick<SettingsShape, "isDemo">, address: string): boolean =>
  !isDemo || isOnThisMachine(address)
