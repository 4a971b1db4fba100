const HEADING = /<(\/?)h([1-6])>/g
/** Only a rendered table's own tag reads like this: text has no raw quotation marks in tags. */
const TABLE = /(<div class="table-scroll" role="group" aria-label=")([^"]*)"/g

/** The page has its own first and second level. */
const FIRST_LEVEL = 3
const LAST_LEVEL = 6

/**
 * Gives a text's headings levels that leave none out, whatever its author wrote, and tells tables of the same name
 * apart. The returned function is called with the HTML of each block, in order.
 */
export const createOutline = (): ((html: string) => string) => {
  const open: Array<number> = []
  const tables = new Map<string, number>()

  const enter = (depth: number): void => {
    while ((open.at(-1) ?? 0) >= depth) open.pop()
    open.push(depth)
  }
  const level = () => Math.min(LAST_LEVEL, FIRST_LEVEL - 1 + open.length)

  return (html) =>
    html
      .replaceAll(HEADING, (_, end: string, depth: string) => {
        if (end === "") enter(Number(depth))
        return `<${end}h${level()}>`
      })
      .replaceAll(TABLE, (_, start: string, name: string) => {
        const count = (tables.get(name) ?? 0) + 1
        tables.set(name, count)
        return `${start}${count === 1 ? name : `${name} (${count})`}"`
      })
}
