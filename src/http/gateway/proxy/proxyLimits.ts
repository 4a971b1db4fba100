import { Duration } from "effect"

/** Numbers of the WebSocket proxy; sizes in bytes. */
export const PROXY_LIMITS = {
  /** Messages and payload bytes buffered while the upstream connection opens. */
  pendingMessages: 100,
  pendingBytes: 1_048_576,
  /** Largest message either side may send; the gateway's own limit. */
  messageBytes: 26_214_400,
  /**
   * What either side may send before the handshake is over: bytes as they come, and frames of any kind. Of what comes
   * before the connection is open or isn't a handshake, payloads don't count here.
   */
  handshakeRawBytes: 131_072,
  handshakeFrames: 1000,
  /** Largest first message that can be a handshake; the gateway's own limit before the handshake. */
  handshakeBytes: 65_536,
  /** Largest handshake response. */
  handshakeAnswerBytes: 4_194_304,
  /** How many bytes wait for a slow reader before reading from the other side pauses. */
  writeBacklog: 262_144,
  /** How long an upstream may take to accept the connection. */
  dial: Duration.seconds(10),
  /** How long a `connect` waits for the gateway's challenge. */
  challenge: Duration.seconds(5),
  /** How long a whole handshake may take. */
  handshake: Duration.seconds(30),
  /** How long to retry while a gateway is still starting. */
  starting: Duration.seconds(60),
  /** Time between keepalive pings. */
  ping: Duration.seconds(30),
  /** How long both sides have to finish once one of them is done. */
  closing: Duration.seconds(10),
  /** How long both sides have if the session is cut: because of a sign-out or of what one side sent. */
  cut: Duration.seconds(1),
  /** How long a final close frame may take to go out when the session is cut. */
  farewell: Duration.millis(250)
} as const
