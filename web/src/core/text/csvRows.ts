/** What parts the cells of a line; the one that parts most of the first line is taken. */
const SEPARATORS = [",", ";", "\t"]

const separatorOf = (text: string): string => {
  const line = text.slice(0, text.search(/\r?\n|$/)).replace(/"(?:[^"]|"")*"?/g, "")
  const counts = SEPARATORS.map((separator) => line.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ","
}

/** The first rows of a text with separated values, and whether there are more. */
export interface CsvRows {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly hasMore: boolean
}

/** Reads separated values as RFC 4180 writes them: a cell in quotes may hold separators, line breaks and doubled quotes. */
export const csvRows = (text: string, most: number): CsvRows => {
  const separator = separatorOf(text)
  const rows: Array<ReadonlyArray<string>> = []
  let row: Array<string> = []
  let cell = ""
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ""
  }
  const endRow = () => {
    endCell()
    // A line without anything is none.
    if (row.length > 1 || row[0] !== "") rows.push(row)
    row = []
  }
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at++) {
    const sign = text[at] ?? ""
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === "") isQuoted = true
    else if (sign === separator) endCell()
    else if (sign === "\n") {
      endRow()
      if (rows.length > most) return { rows: rows.slice(0, most), hasMore: true }
    } else if (sign !== "\r") cell += sign
  }
  endRow()
  return { rows: rows.slice(0, most), hasMore: rows.length > most }
}
