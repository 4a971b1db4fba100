import type { TokenizerThis, Tokens } from "marked"

/** Letters and signs of scripts that have no spaces between words, and of Korean, whose endings stand right behind a word. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u3000-\u303f\u30fb\u30fc\ufe30-\ufe4f\uff00-\uffef]/u

/** A tilde belongs to what is struck through, so it isn't punctuation here. */
const PUNCTUATION = /(?!~)[\p{P}\p{S}]/u
/** What stands before a word: nothing ends behind it. */
const BEGINS = /[\p{Ps}\p{Pi}]/u
/** What stands behind a word: nothing begins before it. */
const ENDS = /[\p{Pe}\p{Pf}、。，；：！？．:;.,!?]/u
/** What may be the last sign of a phrase that is emphasised in the middle of a word: `**bold:**text`. */
const LAST = /[\p{Pe}\p{Pf}\p{Sc}\p{So}:;.,!?…%‰°]/u
const SPACE = /\s/
/** A figure, or a sum, with a star and another behind it: `2*3`, `2*(3+4)`, `2**3`. */
const PRODUCT = /^(?:[\p{N})]\*[\p{N}(]|\p{N}\*\*\p{N})$/u

/** Some equal marks side by side, and what they may do. */
interface Run {
  readonly mark: string
  /** Where those begin and end that aren't used yet. */
  start: number
  end: number
  readonly length: number
  readonly canOpen: boolean
  readonly canClose: boolean
}

const characterBefore = (text: string, at: number): string =>
  Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? " "
const characterAt = (text: string, at: number): string => Array.from(text.slice(at, at + 2))[0] ?? " "

/**
 * What a run of marks does, by what stands beside it. CommonMark goes by spaces and punctuation alone, which leaves the
 * marks on the page in scripts without spaces: there a neighbour of such a script counts as a space does. A phrase in
 * strong type ends with its punctuation in every script, and stars between two figures are a sum.
 */
const runAt = (text: string, start: number, marks: string): Run => {
  const length = marks.length
  const mark = marks.charAt(0)
  const [left, right] = [characterBefore(text, start), characterAt(text, start + length)]
  const [isAfterSpace, isBeforeSpace] = [SPACE.test(left), SPACE.test(right)]
  const [isAfterSign, isBeforeSign] = [PUNCTUATION.test(left), PUNCTUATION.test(right)]
  const opens = !isBeforeSpace && (!isBeforeSign || isAfterSpace || isAfterSign)
  const closes = !isAfterSpace && (!isAfterSign || isBeforeSpace || isBeforeSign)
  const run = { mark, start, end: start + length, length }
  if (mark === "_")
    return { ...run, canOpen: opens && (!closes || isAfterSign), canClose: closes && (!opens || isBeforeSign) }
  if (PRODUCT.test(left + marks + right)) return { ...run, canOpen: false, canClose: false }
  const isUnspaced = UNSPACED.test(left) || UNSPACED.test(right)
  return {
    ...run,
    canOpen: opens || (!isBeforeSpace && isUnspaced && !ENDS.test(right)),
    canClose: closes || (!isAfterSpace && ((isUnspaced && !BEGINS.test(left)) || (length > 1 && LAST.test(left))))
  }
}

/** Whether two runs belong together as far as their lengths tell: CommonMark's rule for runs that could do both. */
const isPair = (opener: Run, closer: Run): boolean =>
  opener.mark === closer.mark &&
  opener.canOpen &&
  opener.end > opener.start &&
  (!(opener.canClose || closer.canOpen) ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0))

interface Emphasis {
  /** Where it ends, behind its marks. */
  readonly end: number
  /** Marks on each side. */
  readonly marks: 1 | 2
}

type Found = ReadonlyMap<number, Emphasis>

/** All emphasis in a text in which code, links and escapes are masked, by where it begins. */
const emphasisIn = (masked: string): Found => {
  const found = new Map<number, Emphasis>()
  /** Runs that may still open something, and how far back there is nothing for a closing run of a kind. */
  const open: Array<Run> = []
  const searched = new Map<string, Run | undefined>()
  for (const { 0: marks, index } of masked.matchAll(/\*+|_+/g)) {
    const run = runAt(masked, index, marks)
    while (run.canClose && run.start < run.end) {
      const kind = `${run.mark}${run.canOpen}${run.length % 3}`
      const bottom = searched.get(kind)
      const at = open.findLastIndex((opener) => opener === bottom || isPair(opener, run))
      const opener = open[at]
      if (opener === undefined || opener === bottom) {
        searched.set(kind, open.at(-1))
        break
      }
      const used = Math.min(opener.end - opener.start, run.end - run.start) > 1 ? 2 : 1
      opener.end -= used
      run.start += used
      found.set(opener.end, { end: run.start, marks: used })
      // What opened between the two has nothing to close it.
      open.length = opener.end > opener.start ? at + 1 : at
    }
    if (run.canOpen && run.start < run.end) open.push(run)
  }
  return found
}

/** Where something is struck through. Three tildes and more are a line. */
const struckIn = (masked: string): Found => {
  const found = new Map<number, Emphasis>()
  let opener: Run | null = null
  for (const { 0: marks, index } of masked.matchAll(/~+/g)) {
    const run = runAt(masked, index, marks)
    if (run.length !== 2) continue
    if (opener !== null && run.canClose) {
      found.set(opener.start, { end: run.end, marks: 2 })
      opener = null
    } else if (run.canOpen) opener ??= run
  }
  return found
}

/** Texts within one another whose emphasis is kept. */
const KEPT = 32

/** Every mark of a text asks for what there is in it, and so do those of the texts in between its own. */
const remembered = (find: (masked: string) => Found): ((masked: string) => Found) => {
  const known = new Map<string, Found>()
  return (masked) => {
    const found = known.get(masked) ?? find(masked)
    known.delete(masked)
    known.set(masked, found)
    const oldest = known.keys().next().value
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
    return found
  }
}

/** Finds what begins at the start of a source, whose end the masked text is the end of. */
const finder = (find: (masked: string) => Found) => {
  const inText = remembered(find)
  return (it: TokenizerThis, source: string, masked: string) => {
    const at = masked.length - source.length
    const found = inText(masked).get(at)
    if (found === undefined) return undefined
    const raw = source.slice(0, found.end - at)
    const text = raw.slice(found.marks, -found.marks)
    return { marks: found.marks, raw, text, tokens: it.lexer.inlineTokens(text) }
  }
}

const emphasisAt = finder(emphasisIn)
const struckAt = finder(struckIn)

/** `*emphasis*` and `**strong text**` at the beginning of a text. */
export const emphasised = (
  it: TokenizerThis,
  source: string,
  masked: string
): Tokens.Em | Tokens.Strong | undefined => {
  const found = emphasisAt(it, source, masked)
  if (found === undefined) return undefined
  const { marks, ...rest } = found
  return { type: marks === 1 ? "em" : "strong", ...rest }
}

/** `~~struck through~~` text at the beginning of a text; a single tilde is a range, or means about. */
export const struck = (it: TokenizerThis, source: string, masked: string): Tokens.Del | undefined => {
  const found = struckAt(it, source, masked)
  return found === undefined ? undefined : { type: "del", raw: found.raw, text: found.text, tokens: found.tokens }
}
