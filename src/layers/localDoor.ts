import type { Server } from "node:http"
import { type AddressInfo, createServer, isIP } from "node:net"
import { Effect } from "effect"
import { isLoopbackServer } from "../services/access/local/loopbackServer.ts"
import { localAddress } from "../services/platform/settings/localAddress.ts"

const LOOPBACK = "127.0.0.1"

const addressOf = ({ address, port }: Pick<AddressInfo, "address" | "port">): string | undefined => {
  const text = localAddress({ host: address.replace(/%.*$/, ""), port })
  return isIP(address) !== 0 && URL.canParse(text) ? new URL(text).origin : undefined
}

/** Opens a second way to a server, on the same port of the loopback, for the surrounding scope. */
const openDoor = Effect.fnUntraced(function* (server: Server, port: number) {
  // As Node's own HTTP server is made; what comes in is handled as if it had come there.
  const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
  yield* Effect.addFinalizer(() => Effect.sync(() => door.close()))
  yield* Effect.callback<void, unknown>((resume) => {
    door.once("error", (cause) => resume(Effect.fail(cause)))
    door.listen({ port, host: LOOPBACK }, () => resume(Effect.void))
  })
  return addressOf({ address: LOOPBACK, port })
})

/**
 * Where commands on this machine reach a listening server. They only believe a loopback address, so a server that
 * listens on one other address of this machine also answers at the same port of the loopback. `undefined` if it can't.
 */
export const localDoor = Effect.fn("localDoor")(
  function* (server: Server, bound: string | AddressInfo | null = server.address()) {
    if (typeof bound !== "object" || bound === null) return undefined
    const own = addressOf(bound)
    return own !== undefined && isLoopbackServer(own) ? own : yield* openDoor(server, bound.port)
  },
  Effect.catch((cause) =>
    Effect.as(
      Effect.logWarning(`Commands can't reach this console, because its port is taken on ${LOOPBACK}`, cause),
      undefined
    )
  )
)
