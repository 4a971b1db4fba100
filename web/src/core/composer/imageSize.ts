/** Pixels on the longer side that models can use. */
export const MAX_SIDE = 2_048
/** Maximum bytes for sending a picture of that size as it is. */
export const SMALL_BYTES = 1_000_000
/** Bytes of a frame besides the pictures: the message and its envelope. */
const ENVELOPE = 256 * 1024

/** The size to draw a picture at: its own, or with the longer side at the limit. */
export const fitted = (width: number, height: number): { readonly width: number; readonly height: number } => {
  const scale = Math.min(1, MAX_SIDE / Math.max(1, width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Whether base64 pictures of these lengths fit into one frame of the gateway together. */
export const fitsFrame = (lengths: ReadonlyArray<number>, maxPayload: number): boolean =>
  lengths.reduce((sum, length) => sum + length, 0) <= maxPayload - ENVELOPE
