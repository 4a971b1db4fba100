/** Stands where a mark was, so that all else keeps its place. */
const NOTHING = "\uffff"
const HEADING = /^ {0,3}#{1,6} +/gm
const QUOTE = /^ {0,3}> ?/gm
const RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$|^ {0,3}(?:```|~~~).*$/gm
const ROW = /^ {0,3}\|.*\|[ \t]*$/gm
const BOLD = /(?<![\w*/\\])\*\*(?=[^\s*/])|(?<=[^\s*/\\])\*\*(?![\w*/])/g
const SLANTED = /(?<![\w*/\\])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*/])/g
const CODE = /`/g
/** A list's item, with its box if it can be ticked. */
const ITEM = /^ {0,8}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm
/** The end of a line that closes with a sign, such as a colon before a list. */
const CLOSED = /\p{Po}[ \t]*\n\s*$/u

/** Characters in which a line's last sign is looked for. */
const ENDING = 20

const blank = (mark: string): string => NOTHING.repeat(mark.length)

/** A row's cells, with a dot between two. */
const cells = (row: string): string => {
  const start = row.indexOf("|")
  const end = row.lastIndexOf("|")
  const within = row.slice(start + 1, end).replaceAll("|", "·")
  return `${blank(row.slice(0, start + 1))}${within}${blank(row.slice(end))}`
}

/** The mark of an item or a heading, as a dot where the line before would run into it. */
const begun = (mark: string, at: number, text: string): string =>
  at === 0 || CLOSED.test(text.slice(Math.max(0, at - ENDING), at)) ? blank(mark) : `${blank(mark.slice(2))}· `

/** A text with its marks of Markdown hidden, and every other character where it was; `withoutHidden` takes them out. */
export const hideMarks = (text: string): string =>
  text
    .replace(RULE, blank)
    .replace(ROW, cells)
    .replace(ITEM, begun)
    .replace(HEADING, begun)
    .replace(QUOTE, blank)
    .replace(BOLD, blank)
    .replace(SLANTED, (_, words: string) => `${NOTHING}${words}${NOTHING}`)
    .replace(CODE, blank)

export const withoutHidden = (text: string): string => text.replaceAll(NOTHING, "")
