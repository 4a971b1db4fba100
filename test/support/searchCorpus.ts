import type { Fuzz } from "./fuzz.ts"

const LATIN = "aeiounrtslmdkpgbh"
const CYRILLIC = "абвгдеёжзийклмнопрстуя"
const ACCENTED: Readonly<Record<string, string>> = { a: "á", e: "é", i: "ï", o: "ö", u: "ü", n: "ñ", s: "š" }
const HAN_FIRST = 0x4e00
const HAN_COUNT = 300

/** Words of an artificial language with natural frequencies. */
export interface Vocabulary {
  readonly latin: ReadonlyArray<string>
  readonly cyrillic: ReadonlyArray<string>
}

const words = (fuzz: Fuzz, alphabet: string, count: number): ReadonlyArray<string> => {
  const found = new Set<string>()
  while (found.size < count) {
    found.add(Array.from({ length: 3 + fuzz.below(6) }, () => alphabet.charAt(fuzz.below(alphabet.length))).join(""))
  }
  return [...found]
}

export const makeVocabulary = (fuzz: Fuzz, count: number): Vocabulary => ({
  latin: words(fuzz, LATIN, count),
  cyrillic: words(fuzz, CYRILLIC, count)
})

/** A word of a list; the first ones are the most frequent. */
const frequent = (fuzz: Fuzz, all: ReadonlyArray<string>): string => {
  const rank = Math.floor(all.length ** fuzz.next()) - 1
  return all[rank] ?? ""
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const accented = (word: string) => word.replace(/[aeiouns]/, (letter) => ACCENTED[letter] ?? letter)

const han = (fuzz: Fuzz, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(HAN_FIRST + Math.floor(HAN_COUNT ** fuzz.next()))).join("")

const code = (fuzz: Fuzz, { latin }: Vocabulary): string => {
  const name = () => frequent(fuzz, latin)
  return fuzz.pick<() => string>([
    () => `${name()}${capital(name())}${capital(name())}()`,
    () => `${name()}_${name()} = ${fuzz.below(1000)}`,
    () => `/${name()}/${name()}/${capital(name())}.ts:${fuzz.below(500)}`,
    () => `HTTP${capital(name())}`
  ])()
}

const piece = (fuzz: Fuzz, vocabulary: Vocabulary, script: number): string => {
  if (script < 0.6) {
    const word = frequent(fuzz, vocabulary.latin)
    return fuzz.chance(0.1) ? accented(word) : fuzz.chance(0.1) ? capital(word) : word
  }
  if (script < 0.75) return frequent(fuzz, vocabulary.cyrillic)
  return script < 0.9 ? code(fuzz, vocabulary) : `${han(fuzz, 2 + fuzz.below(12))}，`
}

/** A message of about so many characters: prose in one of two alphabets, code, or Chinese. */
export const corpusText = (fuzz: Fuzz, vocabulary: Vocabulary, length: number): string => {
  const script = fuzz.next()
  let text = ""
  while (text.length < length) {
    const end = fuzz.chance(0.1) ? ". " : fuzz.chance(0.05) ? "\n" : " "
    text += piece(fuzz, vocabulary, fuzz.chance(0.9) ? script : fuzz.next()) + end
  }
  return text
}
