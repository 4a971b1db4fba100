import type { Token, Tokens } from "marked"

type Direction = "ltr" | "rtl"

const LETTER = /[\p{L}\u200e\u200f\u061c]/u
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Yezidi}\u200f\u061c]/u

/** The direction of a line, by its first letter; null if it has none. */
const directionOfLine = (line: string): Direction | null => {
  const letter = LETTER.exec(line)?.[0]
  if (letter === undefined) return null
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr"
}

/** The words of a line that have its language: no code, formulas or addresses. */
const ownWords = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map((token) => {
      if (token.type === "codespan" || "tex" in token || ("autolink" in token && token.autolink === true)) return ""
      if ("tokens" in token && token.tokens !== undefined) return ownWords(token.tokens)
      return "text" in token ? String(token.text) : " "
    })
    .join("")

const cellsOf = ({ header, rows }: Tokens.Table): ReadonlyArray<Tokens.TableCell> => [header, ...rows].flat()

/** The lines of what stands in these blocks: paragraphs, headings and cells. */
const linesOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  tokens.flatMap((token): ReadonlyArray<string> => {
    switch (token.type) {
      case "list":
        return linesOf(token.items)
      case "list_item":
      case "blockquote":
      case "footnote":
      case "folded":
        return linesOf(token.tokens ?? [])
      case "paragraph":
      case "heading":
      case "text":
        return [ownWords(token.tokens ?? [])]
      default:
        return isTable(token) ? cellsOf(token).map(({ tokens: words }) => ownWords(words)) : []
    }
  })

const isTable = (token: Token): token is Tokens.Table => token.type === "table" && "rows" in token

/** The direction of most of a block's lines, or of the first if they're as many; null if no line has one. */
const directionOf = (block: Token): Direction | null => {
  const all = linesOf([block]).flatMap((line) => directionOfLine(line) ?? [])
  const rightToLeft = all.filter((direction) => direction === "rtl").length
  if (rightToLeft * 2 === all.length) return all[0] ?? null
  return rightToLeft * 2 > all.length ? "rtl" : "ltr"
}

/** The attribute of a block that stands on the side where its own language begins, whatever language the page has. */
export const inDirection = (block: Token): string => {
  const direction = directionOf(block)
  return direction === null ? "" : ` dir="${direction}"`
}
