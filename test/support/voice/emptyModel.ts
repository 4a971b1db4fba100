import { createHash } from "node:crypto"

const MAGIC = 0x67676d6c
const MELS = 80
const BINS = 201
/** Sizes of an English model, with one narrow layer on each side. */
const SIZES = [51_864, 1500, 64, 1, 1, 448, 64, 1, 1, MELS, 1]
const WORDS = [" ", " word"]

const integers = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4)
  return bytes
}

const filters = Buffer.alloc(MELS * BINS * 4)
for (let mel = 0; mel < MELS; mel += 1) filters.writeFloatLE(0.01, (mel * BINS + mel * 2) * 4)

/** A speech model of 64 KB in the recogniser's format without training: it loads, runs and recognises no words. */
export const emptyModel: Buffer = Buffer.concat([
  integers(MAGIC, ...SIZES),
  integers(MELS, BINS),
  filters,
  integers(WORDS.length),
  ...WORDS.flatMap((word) => [integers(word.length), Buffer.from(word)])
])

/** Size and checksum of a file, as the catalogue of models has them. */
export const modelFileOf = (bytes: Buffer) => ({
  bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex")
})

/** A catalogue in which every model is this file. */
export const everyModel = (bytes: Buffer) => {
  const file = modelFileOf(bytes)
  return { tiny: file, base: file, small: file, "tiny.en": file, "base.en": file, "small.en": file }
}
