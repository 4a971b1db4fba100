import type { Socket } from "node:net"
import { type Duration, Effect, Exit, Scope } from "effect"
import { ClientInput } from "./ClientInput.ts"
import { dialUpstream } from "./dialUpstream.ts"
import { CLOSE, type CloseStatus, encodeClose, NOTHING } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { clientEnd, type Heartbeats, type OnSignedOut, relay, upstreamEnd } from "./relay.ts"
import { type Link, type ProxyCredentials, signedLink } from "./signedLink.ts"
import { closed, release, SessionEnd } from "./sockets.ts"

const plainLink = Effect.fnUntraced(function* (url: URL, input: ClientInput) {
  const socket = yield* dialUpstream(url)
  input.upstreamOpened()
  return { socket, toClient: NOTHING, toUpstream: NOTHING } satisfies Link
})

/**
 * Sends a close frame, ends the connection, and keeps reading for a while so a connection reset doesn't lose the frame.
 */
const farewell = (client: Socket, frame: Buffer, patience: Duration.Duration): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (client.writable) client.end(frame)
    client.resume()
    return closed(client)
  }).pipe(Effect.timeoutOption(patience), Effect.andThen(Effect.sync(() => client.destroy())), Effect.asVoid)

/**
 * A session's upstream connection and what each end gets first; `undefined` if there is none and the browser has been
 * told why.
 */
const opened = Effect.fnUntraced(function* (
  client: Socket,
  target: URL | CloseStatus,
  credentials: ProxyCredentials | undefined,
  onSignedOut: OnSignedOut
) {
  if (!(target instanceof URL)) {
    return yield* Effect.asVoid(farewell(client, encodeClose(target), PROXY_LIMITS.closing))
  }
  const input = new ClientInput(client)
  const dialling = yield* Scope.fork(yield* Effect.scope)
  const link = credentials === undefined ? plainLink(target, input) : signedLink(target, client, input, credentials)
  const signedOut = Effect.callback<never, SessionEnd>((resume) => {
    const forget = onSignedOut(() => resume(Effect.fail(SessionEnd.with(CLOSE.signedOut))))
    return Effect.sync(forget)
  })
  return yield* Effect.raceAllFirst([signedOut, input.failed, Scope.provide(link, dialling)]).pipe(
    Effect.matchEffect({
      onFailure: (end) => {
        input.detach()
        // The gateway isn't needed while the browser closes.
        const both = [Scope.close(dialling, Exit.void), farewell(client, end.farewell, end.patience)]
        return Effect.asVoid(Effect.all(both, { concurrency: "unbounded" }))
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
 * connections have ended, or soon after who opened it is signed out; both connections belong to the scope.
 */
export const proxySession = Effect.fnUntraced(function* (session: {
  readonly client: Socket
  readonly target: URL | CloseStatus
  readonly credentials: ProxyCredentials | undefined
  readonly heartbeats: Heartbeats
  readonly onSignedOut: OnSignedOut
}) {
  const { client, credentials, heartbeats, onSignedOut, target } = session
  yield* Effect.addFinalizer(() => release(client))
  const ends = yield* opened(client, target, credentials, onSignedOut)
  if (ends !== undefined) yield* relay(ends.client, ends.upstream, heartbeats, onSignedOut)
}, Effect.scoped)
