/** Samples per second that speech recognition reads. */
export const SPEECH_RATE = 16_000
/** The lowest rate browsers convert to. */
const LOWEST_RATE = 8_000
/** Largest recording the server accepts. */
const MOST_BYTES = 12 * 1024 * 1024
const HEADER = 44

/** The rate at which this many seconds still fit into an upload; long recordings lose their high tones, not their end. */
export const rateFor = (seconds: number): number =>
  Math.max(LOWEST_RATE, Math.min(SPEECH_RATE, Math.floor((MOST_BYTES - HEADER) / 2 / Math.max(seconds, 1))))

/** Channels of samples between -1 and 1 as a mono WAV file with 16 bits each. */
export const wavFile = (channels: ReadonlyArray<Float32Array>, rate: number): Blob => {
  const length = channels[0]?.length ?? 0
  const bytes = new DataView(new ArrayBuffer(HEADER + length * 2))
  const text = (at: number, value: string) => {
    for (let index = 0; index < value.length; index += 1) bytes.setUint8(at + index, value.charCodeAt(index))
  }
  text(0, "RIFF")
  bytes.setUint32(4, HEADER - 8 + length * 2, true)
  text(8, "WAVEfmt ")
  bytes.setUint32(16, 16, true)
  bytes.setUint16(20, 1, true)
  bytes.setUint16(22, 1, true)
  bytes.setUint32(24, rate, true)
  bytes.setUint32(28, rate * 2, true)
  bytes.setUint16(32, 2, true)
  bytes.setUint16(34, 16, true)
  text(36, "data")
  bytes.setUint32(40, length * 2, true)
  for (let index = 0; index < length; index += 1) {
    let sum = 0
    for (const channel of channels) sum += channel[index] ?? 0
    const value = Math.max(-1, Math.min(1, sum / channels.length))
    bytes.setInt16(HEADER + index * 2, Math.round(value * 0x7fff), true)
  }
  return new Blob([bytes], { type: "audio/wav" })
}
