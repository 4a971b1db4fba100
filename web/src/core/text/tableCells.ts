/** The length of what begins at the start of a text and is one thing, such as a formula; 0 if nothing does. */
export type SpanAt = (text: string, before: string) => number

const CODE = /^(`+)(?!`)/

/** The length of the code that a text begins with. */
const codeAt = (text: string): number => {
  const mark = CODE.exec(text)?.[1]
  if (mark === undefined) return 0
  for (const { 0: run, index } of text.slice(mark.length).matchAll(/`+/g))
    if (run === mark) return mark.length + index + mark.length
  return 0
}

const NO_SPAN: SpanAt = () => 0

/** Where a row's pipes stand that separate its cells. */
const separators = (row: string, spanAt: SpanAt): ReadonlyArray<number> => {
  const found: Array<number> = []
  let at = 0
  while (at < row.length) {
    const rest = row.slice(at)
    const ticks = /^`+/.exec(rest)?.[0].length ?? 0
    if (row[at] === "|") found.push(at)
    const span = codeAt(rest) || spanAt(rest, row.slice(0, at))
    at += span || (row[at] === "\\" ? 2 : Math.max(1, ticks))
  }
  return found
}

/** Where the pipes of a row stand that aren't escaped, whatever they're in. */
const pipesIn = (row: string): ReadonlyArray<number> =>
  Array.from(row.matchAll(/\\[\s\S]|\|/g)).flatMap(({ 0: sign, index }) => (sign === "|" ? [index] : []))

/** Between how many cells these pipes stand. */
const countCells = (row: string, pipes: ReadonlyArray<number>): number => {
  const [first, last] = [pipes[0], pipes.at(-1)]
  if (first === undefined || last === undefined) return 1
  const isLed = row.slice(0, first).trim() === ""
  const isClosed = row.slice(last + 1).trim() === "" && !(isLed && first === last)
  return pipes.length + 1 - Number(isLed) - Number(isClosed)
}

/** The pipes that separate the cells of a row; those behind its last column don't, unless nothing stands between them. */
const columnPipes = (row: string, pipes: ReadonlyArray<number>, columns: number): ReadonlyArray<number> => {
  const isLed = row.slice(0, pipes[0] ?? 0).trim() === ""
  const count = columns - 1 + Number(isLed)
  const [end] = pipes.slice(count)
  if (end === undefined || /^[|\s]*$/.test(row.slice(end))) return pipes
  const last = row.trimEnd().length - 1
  return pipes.filter((at, index) => index < count || at === last)
}

/** A row in which every pipe is escaped that separates no cells. */
const withWholeRow = (row: string, columns: number | null, spanAt: SpanAt): string => {
  const plain = separators(row, NO_SPAN)
  // A row that has its cells without them has prices, not formulas.
  const pipes = columns !== null && countCells(row, plain) === columns ? plain : separators(row, spanAt)
  const kept = columns === null ? pipes : columnPipes(row, pipes, columns)
  return pipesIn(row)
    .filter((at) => !kept.includes(at))
    .reduceRight((text, at) => `${text.slice(0, at)}\\${text.slice(at)}`, row)
}

/** The lines of a table, in which code, formulas and what there is no column for no longer end cells. */
export const withWholeCells = (lines: string, spanAt: SpanAt): string => {
  const [head = "", delimiters = "", ...rows] = lines.split("\n")
  const columns = countCells(delimiters, pipesIn(delimiters))
  return [withWholeRow(head, null, spanAt), delimiters, ...rows.map((row) => withWholeRow(row, columns, spanAt))].join(
    "\n"
  )
}
