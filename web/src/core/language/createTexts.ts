import type { Catalogue } from "./catalogue.ts"

/** What stands for the `{name}`s of a text. Numbers are written as the language does it. */
export type Values = Readonly<Record<string, string | number>>

/** A stretch of text, or the name of what stands there. */
export interface TextPiece {
  readonly text?: string
  readonly name?: string
}

/** The page's texts in one language. One without a translation stays English. */
export interface Texts {
  say(text: string, values?: Values): string
  sayCount(count: number, one: string, other: string, values?: Values): string
  piecesOf(text: string): ReadonlyArray<TextPiece>
}

const PLACE = /\{(\w+)\}/g

/** Texts out of a catalogue, with plurals and numbers as a locale has them. */
export const createTexts = (catalogue: Catalogue, locale: string): Texts => {
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)

  const shown = (value: string | number): string => (typeof value === "number" ? numbers.format(value) : value)
  const filled = (text: string, values: Values): string =>
    text.replace(PLACE, (place, name: string) => {
      const value = values[name]
      return value === undefined ? place : shown(value)
    })
  const translated = (text: string): string => {
    const found = catalogue[text]
    return typeof found === "string" ? found : text
  }

  return {
    say: (text, values) => (values === undefined ? translated(text) : filled(translated(text), values)),
    sayCount: (count, one, other, values) => {
      const found = catalogue[`${one}|${other}`]
      const forms = typeof found === "object" ? found : { one, other }
      return filled(forms[plurals.select(count)] ?? forms.other ?? other, { ...values, count })
    },
    piecesOf: (text) =>
      translated(text)
        .split(/(\{\w+\})/)
        .filter((piece) => piece !== "")
        .map((piece) => (/^\{\w+\}$/.test(piece) ? { name: piece.slice(1, -1) } : { text: piece }))
  }
}
