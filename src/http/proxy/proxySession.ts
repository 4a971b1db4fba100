import type { Socket } from "node:net"
import { Effect } from "effect"
import { CLOSE } from "../../services/proxy/closeStatus.ts"
import { encodeClose } from "../../services/proxy/frames.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import { ClientInput } from "./ClientInput.ts"
import { dialUpstream } from "./dialUpstream.ts"
import { clientEnd, relay, upstreamEnd } from "./relay.ts"
import { type Link, type ProxyCredentials, signedLink } from "./signedLink.ts"
import { closed, release } from "./sockets.ts"

const plainLink = Effect.fnUntraced(function* (url: URL, input: ClientInput) {
  const { head, socket } = yield* dialUpstream(url)
  input.upstreamOpened()
  return { socket, toClient: head, toUpstream: Buffer.alloc(0) } satisfies Link
})

/** Sends a last close frame, ends, and reads on for a while so that the frame is not lost with a reset connection. */
const farewell = (client: Socket, frame: Buffer): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (client.writable) client.end(frame)
    client.resume()
    return closed(client)
  }).pipe(Effect.timeoutOption(PROXY_LIMITS.closing), Effect.asVoid)

/**
 * One session between a browser's connection, which has been upgraded, and the target; `undefined` is a target that is
 * not allowed. With credentials the handshake is completed by the console, otherwise everything is relayed untouched.
 * Ends when both connections have; both belong to the scope.
 */
export const proxySession = Effect.fn("proxySession")(function* (
  client: Socket,
  target: URL | undefined,
  credentials: ProxyCredentials | undefined
) {
  yield* Effect.addFinalizer(() => release(client))
  if (target === undefined) return yield* farewell(client, encodeClose(CLOSE.targetNotAllowed))
  const input = new ClientInput(client)
  const link = credentials === undefined ? plainLink(target, input) : signedLink(target, client, input, credentials)
  yield* Effect.raceFirst(link, input.failed).pipe(
    Effect.matchEffect({
      onFailure: (end) => {
        input.detach()
        return farewell(client, end.farewell)
      },
      onSuccess: ({ socket, toClient, toUpstream }) =>
        relay(clientEnd(client, Buffer.concat([toUpstream, input.detach()])), upstreamEnd(socket, toClient))
    })
  )
}, Effect.scoped)
