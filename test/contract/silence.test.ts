import { assert, describe, it } from "@effect/vitest"
import { createSoundMeter } from "../../src/contract/silence.ts"

const RATE = 16_000

/** Judges samples made by a function of the time in seconds. */
const isSilent = (seconds: number, sample: (at: number) => number, rate = RATE): boolean => {
  const meter = createSoundMeter(rate)
  for (let index = 0; index < seconds * rate; index++) meter.add(sample(index / rate))
  return meter.isSilent()
}

/** The same noise every time. */
const noise = (decibels: number) => {
  let seed = 7
  const peak = Math.sqrt(3) * 10 ** (decibels / 20)
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return (seed / 1_073_741_824 - 1) * peak
  }
}

const tone = (decibels: number) => (at: number) => Math.SQRT2 * 10 ** (decibels / 20) * Math.sin(2 * Math.PI * 220 * at)

describe("silence", () => {
  it.each([
    ["nothing at all", 2, () => 0],
    ["nothing for long", 20, () => 0],
    ["no samples", 0, () => 0],
    ["the noise of a quiet room", 3, noise(-60)],
    ["a constant voltage", 2, () => 0.3],
    ["a click", 2, (at: number) => (at > 1 && at < 1.01 ? 0.9 : 0)]
  ] as const)("is %s", (_, seconds, sample) => {
    assert.isTrue(isSilent(seconds, sample))
    assert.isTrue(isSilent(seconds, sample, 48_000))
  })

  it.each([
    ["a quiet voice", 2, tone(-42)],
    ["a loud one", 1, tone(-12)],
    ["a word in a long silence", 60, (at: number) => (at > 30 && at < 30.3 ? tone(-30)(at) : 0)],
    ["noise as loud as speech", 2, noise(-30)]
  ] as const)("isn't %s", (_, seconds, sample) => {
    assert.isFalse(isSilent(seconds, sample))
    assert.isFalse(isSilent(seconds, sample, 8_000))
  })
})
