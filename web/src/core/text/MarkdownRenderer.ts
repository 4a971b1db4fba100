import type { Links } from "marked"
import { asFence, createMarkdownParser, type Drawn, type MarkdownParser } from "./createMarkdownParser.ts"
import type { Highlight } from "./htmlRenderer.ts"
import { lateLoad, type MathParts } from "./math/createMath.ts"
import { escapeHtml } from "./safeHtml.ts"
import { createGrowingReader, type ReadText, readText, type TextBlock } from "./textBlocks.ts"

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

const MAX_BLOCKS = 600

/** A text without any of this has no formula. */
const MATH_SIGNS = ["$", "\\(", "\\["]

const withPlainBreaks = (text: string): string => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text)

/** A text that may refer to an address which stands elsewhere, or say where one is. */
const MAY_REFER = "["
const MAY_DEFINE = "]:"

/** Only a piece with one of these has something that depends on the pieces before it. */
const IS_OUTLINED = /<h[1-6]>|<div class="table-scroll"/

/** A drawn piece, sanitised. */
interface Piece extends Drawn {
  readonly isOutlined: boolean
}

type IsShown = (label: string, href: string) => boolean

interface Parsers {
  readonly growing: MarkdownParser
  readonly finished: MarkdownParser
}

/** What the renderer needs from the page. */
export interface MarkdownParts {
  /** The second line of defence behind a renderer that is safe by construction. */
  readonly sanitize: (html: string) => string
  /** Loads syntax highlighting; requested with the first finished code block, and again after a failure. */
  readonly loadHighlight: () => Promise<Highlight>
  /** Loads what finds formulas; requested with the first text that may have one. `onArrival` is for what it loads itself. */
  readonly loadMath: (onArrival: () => void) => Promise<MathParts>
}

/**
 * Renders Markdown piece by piece, as it would be rendered whole; finished pieces are rendered once. What is loaded
 * later is drawn when it's there.
 */
export function createMarkdown({ sanitize, loadHighlight, loadMath }: MarkdownParts): MarkdownRenderer {
  const cache = new Map<string, Piece>()
  const listeners = new Set<() => void>()
  const parsers = new Map<string, Parsers>()
  /** The last drawing of pieces that are read once, so that one of a growing text isn't looked for each time. */
  let drawings = new WeakMap<TextBlock, readonly [key: string, Piece]>()
  let readGrowing: ((text: string) => ReadText) | null = null

  const redraw = () => {
    cache.clear()
    drawings = new WeakMap()
    parsers.clear()
    readGrowing = null
    for (const listener of listeners) listener()
  }
  const highlighter = lateLoad(loadHighlight, redraw)
  const math = lateLoad(() => loadMath(redraw), redraw)
  let hasMath = false

  const colourIfHere: Highlight = (code, language) =>
    (language === "" ? null : highlighter())?.(code, language) ?? escapeHtml(code)

  const parsersOf = (agent: string): Parsers => {
    const known = parsers.get(agent)
    if (known !== undefined) return known
    const found = hasMath ? math() : null
    const parser = (highlight: Highlight, isGrowing: boolean) =>
      createMarkdownParser({
        highlight,
        agent,
        isGrowing,
        extension: found?.extension(isGrowing),
        spanAt: found?.spanAt
      })
    const made = { growing: parser(escapeHtml, true), finished: parser(colourIfHere, false) }
    parsers.set(agent, made)
    return made
  }

  const read = (text: string, isGrowing: boolean, agent: string): ReadText => {
    const { finished, growing } = parsersOf(agent)
    if (!isGrowing) return readText(finished.read, text)
    // What an agent's pictures are relative to doesn't matter for where pieces end.
    readGrowing ??= createGrowingReader(growing.read)
    return readGrowing(text)
  }

  function draw(block: TextBlock, isFinished: boolean, agent: string, links: Links, isShown: IsShown): Piece {
    const { finished, growing } = parsersOf(agent)
    const parser = isFinished ? finished : growing
    const { html, used } = block.code === null ? parser.draw(block.raw, links, isShown) : parser.drawRead(block.code)
    const safe = sanitize(html)
    const drawn = hasMath ? (math()?.draw(safe) ?? safe) : safe
    return { html: drawn, used, isOutlined: IS_OUTLINED.test(drawn) }
  }

  function cached(key: string, make: () => Piece): Piece {
    const drawn = cache.get(key) ?? make()
    cache.delete(key)
    cache.set(key, drawn)
    const oldest = cache.keys().next().value
    if (cache.size > MAX_BLOCKS && oldest !== undefined) cache.delete(oldest)
    return drawn
  }

  return {
    render: (text, streaming, agent = "main"): ReadonlyArray<MarkdownBlock> => {
      const source = withPlainBreaks(asFence(text))
      hasMath ||= MATH_SIGNS.some((sign) => source.includes(sign))
      const { blocks, links } = read(source, streaming, agent)
      const all = Object.keys(links).length === 0 ? "" : JSON.stringify(links)
      const used = new Set<string>()
      const drawn = (block: TextBlock, isFinished: boolean, isShown: IsShown, shown = ""): Piece => {
        const context = all !== "" && block.raw.includes(MAY_REFER) ? all : ""
        const key = `${agent}${isFinished ? "+" : "-"}${context}${shown}`
        const [lastKey, last] = drawings.get(block) ?? []
        if (last !== undefined && lastKey === key) return last
        const now = cached(`${key}\n${block.raw}`, () => draw(block, isFinished, agent, links, isShown))
        drawings.set(block, [key, now])
        return now
      }
      const isFinished = (block: TextBlock) => !streaming || block !== blocks.at(-1) || !block.isOpen
      if (all !== "")
        for (const block of blocks)
          if (block.raw.includes(MAY_REFER))
            for (const label of drawn(block, isFinished(block), () => true).used) used.add(label)
      const isShown: IsShown = (label, href) => !used.has(label) || links[label]?.href !== href
      const outlined = createOutline()
      return blocks.flatMap((block, index) => {
        const isDone = isFinished(block)
        const shown = all !== "" && block.raw.includes(MAY_DEFINE) ? [...used].join("\n") : ""
        const { html, isOutlined } = drawn(block, isDone, isShown, shown)
        if (html === "") return []
        const { diagram } = block
        return [
          { key: String(index), html: isOutlined ? outlined(html) : html, ...(diagram === null ? {} : { diagram }) }
        ]
      })
    },
    onColours: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** A block of rendered markdown. Blocks before the last never change while a text grows. */
export interface MarkdownBlock {
  readonly key: string
  /** Sanitised HTML. */
  readonly html: string
  /** The source of the diagram that this block is, once it's finished; the HTML shows it as code. */
  readonly diagram?: string
}

/** The lazily loaded renderer (markdown and sanitiser; syntax highlighting loads later). */
export interface MarkdownRenderer {
  /**
   * `streaming` leaves an unfinished last code block unhighlighted until its fence closes; image paths are relative
   * to the workspace of `agent`, by default the main one.
   */
  render(text: string, streaming: boolean, agent?: string): ReadonlyArray<MarkdownBlock>
  /** Reports that syntax highlighting or formulas have loaded: what was rendered before is rendered again. */
  onColours(listener: () => void): () => void
}
