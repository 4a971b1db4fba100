import { Result } from "effect"

/** Samples per second that the recogniser reads. */
export const RATE = 16_000
/** The recogniser needs at least a second, so shorter recordings are padded with silence. */
const SHORTEST_S = 1
export const LONGEST_S = 30 * 60

/** Why a WAV file can't be used: damaged, empty, too long, or in an unsupported encoding. */
export type WavProblem = "unreadable" | "too long" | "other coding"

/** A recording as 16 kHz mono, computed piece by piece. */
export interface WavSound {
  /** The number of samples. */
  readonly length: number
  /** The samples from `start` to `end` as 16-bit little-endian PCM. */
  readonly pcm: (start: number, end: number) => Uint8Array
}

interface Layout {
  readonly code: number
  readonly channels: number
  readonly rate: number
  readonly frameBytes: number
  readonly bits: number
  readonly start: number
  readonly end: number
}

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const HIGHEST_RATE = 1_000_000
const CHUNK_HEADER = 8
const FORMAT_LENGTH = 16
/** The offset of the actual encoding in an extensible header. */
const SUBFORMAT_AT = 24

const chunkName = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** Format and position of the samples; `undefined` if there are none. An impossible length is cut to the file's end. */
const layoutOf = (bytes: Uint8Array, view: DataView): Layout | undefined => {
  if (bytes.length < 12 || chunkName(bytes, 0) !== "RIFF" || chunkName(bytes, 8) !== "WAVE") return undefined
  let format: Omit<Layout, "start" | "end"> | undefined
  for (let at = 12; at + CHUNK_HEADER <= bytes.length; ) {
    const start = at + CHUNK_HEADER
    const length = view.getUint32(at + 4, true)
    const end = Math.min(start + length, bytes.length)
    const name = chunkName(bytes, at)
    if (name === "fmt " && end - start >= FORMAT_LENGTH) {
      const code = view.getUint16(start, true)
      const isExtended = code === EXTENSIBLE && end - start >= SUBFORMAT_AT + 2
      format = {
        code: isExtended ? view.getUint16(start + SUBFORMAT_AT, true) : code,
        channels: view.getUint16(start + 2, true),
        rate: view.getUint32(start + 4, true),
        frameBytes: view.getUint16(start + 12, true),
        bits: view.getUint16(start + 14, true)
      }
    }
    // Programs that write to a pipe don't know the length and leave 0 or the largest number.
    if (name === "data") return format && { ...format, start, end: length === 0 ? bytes.length : end }
    at = start + length + (length % 2)
  }
  return undefined
}

const sampleReader = ({ code, bits }: Layout, view: DataView): ((at: number) => number) | undefined => {
  if (code === PCM && bits === 16) return (at) => view.getInt16(at, true) / 0x8000
  if (code === FLOAT && bits === 32) {
    return (at) => {
      const value = view.getFloat32(at, true)
      return Number.isNaN(value) ? 0 : Math.min(Math.max(value, -1), 1)
    }
  }
  return undefined
}

/** How many samples on each side of a moment its value is computed from, at the lower of the two rates. */
const REACH = 8
const STEPS = 256

/** A low-pass filter by the distance from its centre: a sine over its argument that fades out to the edge. */
const FILTER = Float64Array.from({ length: REACH * STEPS + 1 }, (_, index) => {
  const distance = index / STEPS
  if (distance === 0) return 1
  const angle = Math.PI * distance
  return (Math.sin(angle) / angle) * Math.cos(angle / (2 * REACH)) ** 2
})

/** Interpolates between samples; `scale` is 1, or less if frequencies above the new rate must be removed. */
const valueAt = (samples: Float32Array, moment: number, scale: number): number => {
  const reach = REACH / scale
  const first = Math.max(0, Math.ceil(moment - reach))
  const last = Math.min(samples.length - 1, Math.floor(moment + reach))
  let sum = 0
  let weights = 0
  for (let index = first; index <= last; index += 1) {
    const weight = FILTER[Math.round(Math.abs(index - moment) * scale * STEPS)] ?? 0
    sum += weight * (samples[index] ?? 0)
    weights += weight
  }
  return weights > 0 ? sum / weights : 0
}

const monoOf = (layout: Layout, read: (at: number) => number): Float32Array => {
  const { channels, end, frameBytes, start } = layout
  const width = frameBytes / channels
  const samples = new Float32Array(Math.floor((end - start) / frameBytes))
  for (let index = 0; index < samples.length; index += 1) {
    let sum = 0
    for (let channel = 0; channel < channels; channel += 1) sum += read(start + index * frameBytes + channel * width)
    samples[index] = sum / channels
  }
  return samples
}

/**
 * Reads a WAV file with 16-bit or floating-point samples, of any rate and number of channels. The header isn't trusted:
 * lengths are cut to the file's end, and impossible values make the file unreadable.
 */
export const readWav = (bytes: Uint8Array): Result.Result<WavSound, WavProblem> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const layout = layoutOf(bytes, view)
  if (layout === undefined) return Result.fail("unreadable")
  const { bits, channels, frameBytes, rate } = layout
  if (channels === 0 || rate === 0 || rate > HIGHEST_RATE) return Result.fail("unreadable")
  const read = sampleReader(layout, view)
  if (read === undefined) return Result.fail("other coding")
  const frames = Math.floor((layout.end - layout.start) / frameBytes)
  if (frameBytes !== (channels * bits) / 8 || frames === 0) return Result.fail("unreadable")
  if (frames / rate > LONGEST_S) return Result.fail("too long")
  const samples = monoOf(layout, read)
  const scale = Math.min(1, RATE / rate)
  const length = Math.max(SHORTEST_S * RATE, Math.round((frames * RATE) / rate))
  return Result.succeed({
    length,
    pcm: (from, to) => {
      const output = new DataView(new ArrayBuffer((Math.min(to, length) - from) * 2))
      for (let at = 0; at * 2 < output.byteLength; at += 1) {
        const moment = ((from + at) * rate) / RATE
        const value = moment >= frames ? 0 : rate === RATE ? (samples[moment] ?? 0) : valueAt(samples, moment, scale)
        output.setInt16(at * 2, Math.min(Math.max(Math.round(value * 0x8000), -0x8000), 0x7fff), true)
      }
      return new Uint8Array(output.buffer)
    }
  })
}

const HEADER = 44

/** The header of a 16 kHz mono WAV file with this many 16-bit samples. */
export const wavHeader = (samples: number): Uint8Array => {
  const header = Buffer.alloc(HEADER)
  header.write("RIFF", 0)
  header.writeUInt32LE(HEADER - CHUNK_HEADER + samples * 2, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(FORMAT_LENGTH, 16)
  header.writeUInt16LE(PCM, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write("data", 36)
  header.writeUInt32LE(samples * 2, 40)
  return header
}
