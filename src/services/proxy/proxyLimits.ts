import { Duration } from "effect"

/** Numbers of the WebSocket proxy; sizes in bytes. */
export const PROXY_LIMITS = {
  /** Messages and their payload kept while the upstream connection opens (SPEC "WebSocket proxy" 5). */
  pendingMessages: 100,
  pendingBytes: 1_048_576,
  /** Longest message either side may send; the gateway's own limit. */
  messageBytes: 26_214_400,
  /** Longest first message that can be a handshake; the gateway's own limit before it. */
  handshakeBytes: 65_536,
  /** Longest message of the gateway that is looked into while its answer to the handshake is awaited. */
  handshakeAnswerBytes: 4_194_304,
  /** Bytes that wait for a slow reader before the other side's reads pause (D33). */
  writeBacklog: 262_144,
  /** How long an upstream may take to accept the connection. */
  dial: Duration.seconds(10),
  /** How long a `connect` waits for the gateway's challenge (D32). */
  challenge: Duration.seconds(5),
  /** How long one handshake may take as a whole. */
  handshake: Duration.seconds(30),
  /** How long a gateway that is still starting is tried again. */
  starting: Duration.seconds(60),
  /** Time between keepalive pings (SPEC "WebSocket proxy" 6). */
  ping: Duration.seconds(30),
  /** How long both sides have to finish once one of them has said or shown that it is done. */
  closing: Duration.seconds(10),
  /** How long a last close frame may take to leave when the session is cut. */
  farewell: Duration.millis(250)
} as const
