import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Fuzz } from "../../test/support/fuzz.ts"
import { corpusText, makeVocabulary, type Vocabulary } from "../../test/support/searchCorpus.ts"
import { answerLine, lines } from "../../test/support/transcripts.ts"

export const MB = 1024 * 1024
const WORDS = 50_000
const START = Date.parse("2026-01-01T00:00:00.000Z")
const FILE_BYTES = 5 * MB
/** Long after every message. */
export const LATER = START + 10_000 * 24 * 60 * 60 * 1000

/** Conversations that grow: every call adds transcripts until their texts have so many bytes. */
export const makeCorpus = (folder: string) => {
  const fuzz = new Fuzz(11)
  const vocabulary = makeVocabulary(new Fuzz(11), WORDS)
  let bytes = 0
  let messages = 0
  let files = 0
  const writeFile = (limit: number) => {
    const fd = openSync(join(folder, `s${files++}.jsonl`), "w")
    for (const end = Math.min(limit, bytes + FILE_BYTES); bytes < end; messages++) {
      const text = corpusText(fuzz, vocabulary, 50 + Math.floor(8000 ** fuzz.next()))
      bytes += Buffer.byteLength(text)
      writeSync(fd, lines(answerLine({ at: START + messages * 1000, text }).replace("01e6350b", messages.toString(16))))
    }
    closeSync(fd)
  }
  const growTo = (limit: number) => {
    while (bytes < limit) writeFile(limit)
    return { bytes, messages, files }
  }
  return { growTo, queries: queriesOf(vocabulary) }
}

/** Queries of every kind, each of them asked for with different words. */
const queriesOf = ({ latin }: Vocabulary): Readonly<Record<string, (fuzz: Fuzz) => string>> => {
  const common = (fuzz: Fuzz) => latin[fuzz.below(20)] ?? ""
  const rare = (fuzz: Fuzz) => latin[WORDS - 1 - fuzz.below(WORDS / 2)] ?? ""
  const han = (fuzz: Fuzz) => String.fromCharCode(0x4e00 + fuzz.below(300))
  return {
    "rare words": rare,
    "common words": common,
    "two common words": (fuzz) => `${common(fuzz)} ${common(fuzz)}`,
    "a common and a rare word": (fuzz) => `${common(fuzz)} ${rare(fuzz)}`,
    "phrases of two words": (fuzz) => `"${common(fuzz)} ${common(fuzz)}"`,
    "phrases of three words": (fuzz) => `"${common(fuzz)} ${common(fuzz)} ${common(fuzz)}"`,
    "one word without another": (fuzz) => `${common(fuzz)} -${common(fuzz)}`,
    "substrings: beginnings of two letters": (fuzz) => `${common(fuzz).slice(0, 2)}*`,
    "substrings: beginnings of four letters": (fuzz) => `${rare(fuzz).slice(0, 4)}*`,
    "substrings: one Chinese character": han,
    "substrings: two Chinese characters": (fuzz) => han(fuzz) + han(fuzz),
    "substrings: three Chinese characters": (fuzz) => han(fuzz) + han(fuzz) + han(fuzz)
  }
}
