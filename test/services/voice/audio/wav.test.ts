import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readWav, wavHeader } from "../../../../src/services/voice/audio/wav.ts"
import { toneWav } from "../../../support/voice/sounds.ts"

interface Shape {
  readonly rate: number
  readonly channels?: number
  readonly float?: boolean
  readonly seconds?: number
  readonly pitch?: number
  readonly extensible?: boolean
}

/** A WAV file with a tone in the first channel and silence in the others. */
const wavOf = ({ rate, channels = 1, float = false, seconds = 1.5, pitch = 440, extensible = false }: Shape) => {
  const width = float ? 4 : 2
  const code = float ? 3 : 1
  const frames = Math.round(rate * seconds)
  const format = Buffer.alloc(extensible ? 40 : 16)
  format.writeUInt16LE(extensible ? 0xfffe : code, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * channels * width, 8)
  format.writeUInt16LE(channels * width, 12)
  format.writeUInt16LE(width * 8, 14)
  if (extensible) format.writeUInt16LE(code, 24)
  const data = Buffer.alloc(frames * channels * width)
  for (let index = 0; index < frames; index += 1) {
    const value = 0.5 * Math.sin((2 * Math.PI * pitch * index) / rate)
    const at = index * channels * width
    if (float) data.writeFloatLE(value, at)
    else data.writeInt16LE(Math.round(value * 0x8000), at)
  }
  const chunk = (name: string, bytes: Buffer, length = bytes.length) => {
    const head = Buffer.alloc(8)
    head.write(name)
    head.writeUInt32LE(length, 4)
    return Buffer.concat([head, bytes])
  }
  const parts = [chunk("fmt ", format), chunk("LIST", Buffer.from("odd\0")), chunk("data", data)]
  return Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), ...parts])
}

const samplesOf = (bytes: Buffer): Int16Array => {
  const sound = Result.getOrThrow(readWav(bytes))
  const pcm = sound.pcm(0, sound.length)
  return new Int16Array(pcm.buffer, 0, sound.length)
}

/** How loud a pitch is, 0 to 1. */
const loudness = (samples: Int16Array, pitch: number): number => {
  let real = 0
  let imaginary = 0
  for (const [index, sample] of samples.entries()) {
    const angle = (2 * Math.PI * pitch * index) / 16_000
    real += sample * Math.cos(angle)
    imaginary += sample * Math.sin(angle)
  }
  return (2 * Math.hypot(real, imaginary)) / samples.length / 0x8000
}

describe("a WAV file", () => {
  it.each<Shape>([
    { rate: 16_000 },
    { rate: 8_000 },
    { rate: 11_025, channels: 2 },
    { rate: 44_100, channels: 2 },
    { rate: 48_000, float: true },
    { rate: 48_000, float: true, channels: 6, extensible: true },
    { rate: 192_000, extensible: true }
  ])("keeps its tone and length at 16 kHz mono: %o", (shape) => {
    const samples = samplesOf(wavOf(shape))
    assert.closeTo(samples.length, 24_000, 1)
    assert.closeTo(loudness(samples, 440), 0.5 / (shape.channels ?? 1), 0.01)
  })

  it("loses what is too high for 16 kHz, instead of sounding it at another pitch", () => {
    const samples = samplesOf(wavOf({ rate: 48_000, pitch: 11_000 }))
    assert.isBelow(loudness(samples, 5_000), 0.01)
  })

  it("of the right rate stays as it is, and is padded with silence to a second", () => {
    const samples = samplesOf(toneWav(0.5))
    assert.strictEqual(samples.length, 16_000)
    const original = toneWav(0.5)
    for (let index = 0; index < 8_000; index += 1) {
      assert.strictEqual(samples[index], original.readInt16LE(44 + index * 2))
    }
    assert.isTrue(samples.subarray(8_000).every((sample) => sample === 0))
  })

  it("is the same in pieces as in one", () => {
    const sound = Result.getOrThrow(readWav(wavOf({ rate: 44_100 })))
    const pieces = [sound.pcm(0, 5_000), sound.pcm(5_000, 20_000), sound.pcm(20_000, 40_000)]
    assert.deepStrictEqual(Buffer.concat(pieces), Buffer.from(sound.pcm(0, sound.length)))
  })

  it("is written back with a header that fits", () => {
    const tone = toneWav(1)
    assert.deepStrictEqual(Buffer.from(wavHeader(16_000)), tone.subarray(0, 44))
  })

  it("whose length is unknown, too large or cut off is read as far as it goes", () => {
    for (const length of [0, 0xffff_ffff, 1_000_000]) {
      const wav = toneWav(2)
      wav.writeUInt32LE(length, 40)
      assert.strictEqual(samplesOf(wav).length, 32_000)
    }
    assert.strictEqual(samplesOf(toneWav(2).subarray(0, 44 + 40_001)).length, 20_000)
  })

  it("with floating-point numbers that are none, or too loud, is quiet there or as loud as possible", () => {
    const wav = wavOf({ rate: 16_000, float: true })
    const data = wav.length - 24_000 * 4
    for (const [index, value] of [Number.NaN, Number.POSITIVE_INFINITY, -7].entries()) {
      wav.writeFloatLE(value, data + index * 4)
    }
    assert.deepStrictEqual([...samplesOf(wav).subarray(0, 3)], [0, 0x7fff, -0x8000])
  })

  const changed = (change: (wav: Buffer) => void) => {
    const wav = toneWav()
    change(wav)
    return wav
  }
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["no more than a name", Buffer.from("RIFF\0\0\0\0WAVE")],
    ["no samples", toneWav().subarray(0, 44)],
    ["half a sample", toneWav().subarray(0, 45)],
    ["text for a format", Buffer.concat([toneWav().subarray(0, 20), Buffer.from("nothing like a format")])],
    ["samples before the format", Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEdata\x04\0\0\0abcd"), toneWav()])],
    ["a chunk without end", changed((wav) => wav.writeUInt32LE(0xffff_ffff, 16))],
    ["no channels", changed((wav) => wav.writeUInt16LE(0, 22))],
    ["more channels than a frame holds", changed((wav) => wav.writeUInt16LE(9, 22))],
    ["no rate", changed((wav) => wav.writeUInt32LE(0, 24))],
    ["an impossible rate", changed((wav) => wav.writeUInt32LE(0xffff_ffff, 24))],
    ["empty frames", changed((wav) => wav.writeUInt16LE(0, 32))]
  ])("with %s can't be read", (_, bytes) => {
    assert.deepStrictEqual(readWav(bytes), Result.fail("unreadable"))
  })

  it("of more than half an hour is too long, whatever its size", () => {
    const slow = (seconds: number) => wavOf({ rate: 10, seconds })
    assert.deepStrictEqual(readWav(slow(1_801)), Result.fail("too long"))
    assert.strictEqual(Result.getOrThrow(readWav(slow(1_800))).length, 1_800 * 16_000)
  })

  it("coded in another way is left to the converter", () => {
    const other = (code: number, bits: number) =>
      changed((wav) => {
        wav.writeUInt16LE(code, 20)
        wav.writeUInt16LE(bits, 34)
      })
    for (const wav of [other(1, 24), other(6, 8), other(0x11, 4), other(3, 64)]) {
      assert.deepStrictEqual(readWav(wav), Result.fail("other coding"))
    }
  })
})
