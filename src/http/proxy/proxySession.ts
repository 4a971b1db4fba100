import type { Socket } from "node:net"
import { Effect } from "effect"
import { CLOSE } from "../../services/proxy/closeStatus.ts"
import { encodeClose, NOTHING } from "../../services/proxy/frames.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import { ClientInput } from "./ClientInput.ts"
import { dialUpstream } from "./dialUpstream.ts"
import { clientEnd, type Heartbeats, relay, upstreamEnd } from "./relay.ts"
import { type Link, type ProxyCredentials, signedLink } from "./signedLink.ts"
import { closed, release } from "./sockets.ts"

const plainLink = Effect.fnUntraced(function* (url: URL, input: ClientInput) {
  const socket = yield* dialUpstream(url)
  input.upstreamOpened()
  return { socket, toClient: NOTHING, toUpstream: NOTHING } satisfies Link
})

/** Sends a last close frame, ends, and reads on for a while so that the frame is not lost with a reset connection. */
const farewell = (client: Socket, frame: Buffer): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (client.writable) client.end(frame)
    client.resume()
    return closed(client)
  }).pipe(Effect.timeoutOption(PROXY_LIMITS.closing), Effect.asVoid)

/**
 * The upstream connection of a session and what each end has to get first; `undefined` when there is none and the browser
 * has been told why.
 */
const opened = Effect.fnUntraced(function* (
  client: Socket,
  target: URL | undefined,
  credentials: ProxyCredentials | undefined
) {
  if (target === undefined) return yield* Effect.asVoid(farewell(client, encodeClose(CLOSE.targetNotAllowed)))
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
 * One session between a browser's connection, which has been upgraded, and the target; `undefined` is a target that is
 * not allowed. With credentials the handshake is completed by the console, otherwise everything is relayed untouched.
 * Ends when both connections have; both belong to the scope.
 */
export const proxySession = Effect.fnUntraced(function* (session: {
  readonly client: Socket
  readonly target: URL | undefined
  readonly credentials: ProxyCredentials | undefined
  readonly heartbeats: Heartbeats
}) {
  const { client, credentials, heartbeats, target } = session
  yield* Effect.addFinalizer(() => release(client))
  const ends = yield* opened(client, target, credentials)
  if (ends !== undefined) yield* relay(ends.client, ends.upstream, heartbeats)
}, Effect.scoped)
