/** No bytes. Unlike an empty slice, it doesn't keep a chunk in memory. */
export const NOTHING: Buffer = Buffer.alloc(0)

/** Opcodes of RFC 6455, section 5.2. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A frame header as RFC 6455, section 5.2, lays it out. */
export interface FrameHeader {
  readonly final: boolean
  readonly opcode: number
  /** Whether the reserved bits are clear and the opcode is one that exists. */
  readonly valid: boolean
  readonly masked: boolean
  /** Bytes of the header, the masking key included. */
  readonly length: number
  readonly payloadLength: number
}

const LENGTH_16 = 126
const LENGTH_64 = 127
const TWO_32 = 4_294_967_296
const MASK_BYTES = 4
/** Bytes that a control frame may carry; two of a close frame's are its code. */
const CONTROL_BYTES = 125
const CLOSE_REASON_BYTES = CONTROL_BYTES - 2

const isKnownOpcode = (opcode: number): boolean =>
  opcode <= OPCODE.binary || (opcode >= OPCODE.close && opcode <= OPCODE.pong)

/** Whether an opcode is a control frame's, even one that doesn't exist. */
export const isControl = (opcode: number): boolean => opcode >= OPCODE.close

/** Whether a control frame is in one piece and no longer than control frames may be. */
export const isLawfulControl = (header: FrameHeader): boolean => header.final && header.payloadLength <= CONTROL_BYTES

/** Reads the header at an offset; `undefined` if it's not complete yet. */
export const readHeader = (bytes: Buffer, at: number): FrameHeader | undefined => {
  const available = bytes.length - at
  if (available < 2) return undefined
  const first = bytes.readUInt8(at)
  const second = bytes.readUInt8(at + 1)
  const masked = (second & 0x80) !== 0
  const short = second & 0x7f
  const lengthBytes = short === LENGTH_16 ? 2 : short === LENGTH_64 ? 8 : 0
  const length = 2 + lengthBytes + (masked ? MASK_BYTES : 0)
  if (available < length) return undefined
  const payloadLength =
    lengthBytes === 0
      ? short
      : lengthBytes === 2
        ? bytes.readUInt16BE(at + 2)
        : bytes.readUInt32BE(at + 2) * TWO_32 + bytes.readUInt32BE(at + 6)
  const opcode = first & 0x0f
  return {
    final: (first & 0x80) !== 0,
    opcode,
    valid: (first & 0x70) === 0 && isKnownOpcode(opcode),
    masked,
    length,
    payloadLength
  }
}

/** The payload after a header, unmasked; copied only if it was masked. */
export const readPayload = (bytes: Buffer, at: number, header: FrameHeader): Buffer => {
  const start = at + header.length
  const payload = bytes.subarray(start, start + header.payloadLength)
  if (!header.masked) return payload
  const key = bytes.subarray(start - MASK_BYTES, start)
  return maskWith(key, payload)
}

const maskWith = (key: Buffer, payload: Buffer): Buffer => {
  const masked = Buffer.allocUnsafe(payload.length)
  for (let i = 0; i < payload.length; i++) masked[i] = (payload[i] ?? 0) ^ (key[i & 3] ?? 0)
  return masked
}

/** One unfragmented frame. Frames to a server need a masking key of four unpredictable bytes; others have none. */
export const encodeFrame = (opcode: number, payload: Buffer, key?: Buffer): Buffer => {
  const lengthBytes = payload.length < LENGTH_16 ? 0 : payload.length < 65_536 ? 2 : 8
  const header = Buffer.alloc(2 + lengthBytes)
  header.writeUInt8(0x80 | opcode, 0)
  const short = lengthBytes === 0 ? payload.length : lengthBytes === 2 ? LENGTH_16 : LENGTH_64
  header.writeUInt8(short | (key === undefined ? 0 : 0x80), 1)
  if (lengthBytes === 2) header.writeUInt16BE(payload.length, 2)
  if (lengthBytes === 8) header.writeBigUInt64BE(BigInt(payload.length), 2)
  return key === undefined ? Buffer.concat([header, payload]) : Buffer.concat([header, key, maskWith(key, payload)])
}

/** Why a connection ends, as sent in a close frame. */
export interface CloseStatus {
  /** A code that may be sent, so never 1005, 1006 or 1015. */
  readonly code: number
  readonly reason: string
}

/** A close frame; a reason longer than 123 bytes is cut between characters. */
export const encodeClose = (status: CloseStatus, key?: Buffer): Buffer => {
  const code = Buffer.alloc(2)
  code.writeUInt16BE(status.code, 0)
  const cut = Buffer.alloc(CLOSE_REASON_BYTES)
  const { written } = new TextEncoder().encodeInto(status.reason, cut)
  return encodeFrame(OPCODE.close, Buffer.concat([code, cut.subarray(0, written)]), key)
}

/** Code and reason of a close frame's payload; 1005 means the frame has none. */
export const decodeClose = (payload: Buffer): CloseStatus =>
  payload.length < 2
    ? { code: 1005, reason: "" }
    : { code: payload.readUInt16BE(0), reason: payload.subarray(2).toString("utf8") }

/**
 * The proxy's own close frames; all others are passed on unchanged. 1014 is the registered code for "bad gateway" and
 * is used if an upstream ended without a close frame (1006, which must not be sent). A close frame without a code
 * (1005) is passed on as such.
 */
export const CLOSE = {
  unknownGateway: { code: 1008, reason: "Unknown gateway" },
  targetNotAllowed: { code: 1008, reason: "Target not allowed" },
  signedOut: { code: 1008, reason: "Signed out" },
  tooManyPending: { code: 1008, reason: "Too many pending messages" },
  flooding: { code: 1008, reason: "Too many empty messages" },
  broken: { code: 1002, reason: "Invalid control frame" },
  tooLarge: { code: 1009, reason: "" },
  unreachable: { code: 1014, reason: "Couldn't reach the gateway" },
  refused: { code: 1014, reason: "The gateway refused the connection" },
  silent: { code: 1014, reason: "The gateway didn't answer in time" },
  floodingGateway: { code: 1014, reason: "The gateway sent more than it may" },
  brokenGateway: { code: 1014, reason: "The gateway broke the WebSocket protocol" },
  lost: { code: 1014, reason: "The connection to the gateway was lost" },
  clientGone: { code: 1001, reason: "The client disconnected" },
  stopping: { code: 1001, reason: "The console is stopping" }
} as const satisfies Record<string, CloseStatus>
