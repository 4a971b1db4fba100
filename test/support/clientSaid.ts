import { NOTHING, readHeader, readPayload } from "../../src/http/gateway/proxy/frames/frames.ts"

const HEAD_END = "\r\n\r\n"

/** Everything after the upgrade, frame by frame without its mask. */
const unmasked = (bytes: Buffer): Buffer => {
  const payloads: Array<Buffer> = []
  for (let at = 0; ; ) {
    const header = readHeader(bytes, at)
    if (header === undefined) return Buffer.concat(payloads)
    // Compressed, for example, and so unreadable.
    if (!header.valid) throw new Error("a frame that can't be read")
    payloads.push(readPayload(bytes, at, header))
    at += header.length + header.payloadLength
  }
}

/** The data of a client on one connection: its bytes, and those of its WebSocket frames without their masks. */
export const clientSaid = (bytes: Buffer): string => {
  const end = bytes.indexOf(HEAD_END)
  const isSocket = /^upgrade: websocket\r?$/im.test(bytes.subarray(0, Math.max(end, 0)).toString("latin1"))
  const frames = isSocket ? unmasked(bytes.subarray(end + HEAD_END.length)) : NOTHING
  return bytes.toString("latin1") + frames.toString("latin1")
}
