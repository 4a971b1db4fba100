/** Stands where a mark was, so that all else keeps its place. */
const NOTHING = "\uffff"
const HEADING = /^ {0,3}#{1,6} +/gm
const QUOTE = /^ {0,3}> ?/gm
const RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$|^ {0,3}(?:```|~~~).*$/gm
const ROW = /^ {0,3}\|.*\|[ \t]*$/gm
const BOLD = /(?<![\w*/\\])\*\*(?=[^\s*/])|(?<=[^\s*/\\])\*\*(?![\w*/])/g
const SLANTED = /(?<![\w*/\\])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*/])/g
const CODE = /`/g

const blank = (mark: string): string => NOTHING.repeat(mark.length)

/** A row's cells, with a dot between two. */
const cells = (row: string): string => {
  const start = row.indexOf("|")
  const end = row.lastIndexOf("|")
  const within = row.slice(start + 1, end).replaceAll("|", "·")
  return `${blank(row.slice(0, start + 1))}${within}${blank(row.slice(end))}`
}

/** A text with its marks of Markdown hidden, and every other character where it was; `withoutHidden` takes them out. */
export const hideMarks = (text: string): string =>
  text
    .replace(RULE, blank)
    .replace(ROW, cells)
    .replace(HEADING, blank)
    .replace(QUOTE, blank)
    .replace(BOLD, blank)
    .replace(SLANTED, (_, words: string) => `${NOTHING}${words}${NOTHING}`)
    .replace(CODE, blank)

export const withoutHidden = (text: string): string => text.replaceAll(NOTHING, "")
