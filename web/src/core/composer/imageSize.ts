/** Pixels of the longer side that models make use of. */
export const MAX_SIDE = 2_048
/** Bytes up to which a picture of that size is sent as it is. */
export const SMALL_BYTES = 1_000_000
/** Bytes of a frame beside the pictures: the message and its envelope. */
const ENVELOPE = 256 * 1024

/** The size a picture is drawn at: its own, or with the longer side at the limit. */
export const fitted = (width: number, height: number): { readonly width: number; readonly height: number } => {
  const scale = Math.min(1, MAX_SIDE / Math.max(1, width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Whether pictures in base64, of these lengths, fit into one frame of the gateway together. */
export const fitsFrame = (lengths: ReadonlyArray<number>, maxPayload: number): boolean =>
  lengths.reduce((sum, length) => sum + length, 0) <= maxPayload - ENVELOPE
