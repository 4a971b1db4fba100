import type { Socket } from "node:net"
import { Effect } from "effect"
import { ClientInput } from "./ClientInput.ts"
import { dialUpstream } from "./dialUpstream.ts"
import { type CloseStatus, encodeClose, NOTHING } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { clientEnd, type Heartbeats, relay, upstreamEnd } from "./relay.ts"
import { type Link, type ProxyCredentials, signedLink } from "./signedLink.ts"
import { closed, release } from "./sockets.ts"

const plainLink = Effect.fnUntraced(function* (url: URL, input: ClientInput) {
  const socket = yield* dialUpstream(url)
  input.upstreamOpened()
  return { socket, toClient: NOTHING, toUpstream: NOTHING } satisfies Link
})

/**
 * Sends a close frame, ends the connection, and keeps reading for a while so a connection reset doesn't lose the frame.
 */
const farewell = (client: Socket, frame: Buffer): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (client.writable) client.end(frame)
    client.resume()
    return closed(client)
  }).pipe(Effect.timeoutOption(PROXY_LIMITS.closing), Effect.asVoid)

/**
 * A session's upstream connection and what each end gets first; `undefined` if there is none and the browser has been
 * told why.
 */
const opened = Effect.fnUntraced(function* (
  client: Socket,
  target: URL | CloseStatus,
  credentials: ProxyCredentials | undefined
) {
  if (!(target instanceof URL)) return yield* Effect.asVoid(farewell(client, encodeClose(target)))
  const input = new ClientInput(client)
  const link = credentials === undefined ? plainLink(target, input) : signedLink(target, client, input, credentials)
  return yield* Effect.raceFirst(link, input.failed).pipe(
    Effect.matchEffect({
      onFailure: (end) => {
        input.detach()
        return Effect.asVoid(farewell(client, end.farewell))
      },
      onSuccess: ({ socket, toClient, toUpstream }) =>
        Effect.succeed({
          client: clientEnd(client, Buffer.concat([toUpstream, input.detach()])),
          upstream: upstreamEnd(socket, toClient)
        })
    })
  )
})

/**
 * One session between a browser's upgraded connection and the target, or why there is none. With
 * credentials, the console completes the handshake; otherwise everything is relayed untouched. Ends when both
 * connections have ended; both belong to the scope.
 */
export const proxySession = Effect.fnUntraced(function* (session: {
  readonly client: Socket
  readonly target: URL | CloseStatus
  readonly credentials: ProxyCredentials | undefined
  readonly heartbeats: Heartbeats
}) {
  const { client, credentials, heartbeats, target } = session
  yield* Effect.addFinalizer(() => release(client))
  const ends = yield* opened(client, target, credentials)
  if (ends !== undefined) yield* relay(ends.client, ends.upstream, heartbeats)
}, Effect.scoped)
