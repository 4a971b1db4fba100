import { asFence } from "./asFence.ts"
import { createBlockRenderer } from "./createBlockRenderer.ts"
import { escapeHtml } from "./escapeHtml.ts"
import { lateLoad } from "./lateLoad.ts"
import type { MathParts } from "./math/createMath.ts"
import { createOutline } from "./outline.ts"
import { endsInFence, splitBlocks } from "./splitBlocks.ts"
import { diagramIn, splitDiagrams } from "./splitDiagrams.ts"
import type { Highlight, MarkdownBlock, MarkdownRenderer } from "./textTypes.ts"

const MAX_BLOCKS = 600

/** A text without any of this has no formula. */
const MAY_HAVE_MATH = /\$|\\[([]/

interface BlockRenderers {
  readonly plain: (markdown: string) => string
  readonly coloured: (markdown: string) => string
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

/** Renders markdown block by block; finished blocks are rendered once. What is loaded later is drawn when it's there. */
export function createMarkdown({ sanitize, loadHighlight, loadMath }: MarkdownParts): MarkdownRenderer {
  const cache = new Map<string, string>()
  const listeners = new Set<() => void>()
  const renderers = new Map<string, BlockRenderers>()

  const redraw = () => {
    cache.clear()
    renderers.clear()
    for (const listener of listeners) listener()
  }
  const highlighter = lateLoad(loadHighlight, redraw)
  const math = lateLoad(() => loadMath(redraw), redraw)
  let hasMath = false

  const colourIfHere: Highlight = (code, language) =>
    (language === "" ? null : highlighter())?.(code, language) ?? escapeHtml(code)

  const renderersOf = (agent: string): BlockRenderers => {
    const known = renderers.get(agent)
    if (known !== undefined) return known
    const extension = hasMath ? math()?.extension : undefined
    const made = {
      plain: createBlockRenderer(escapeHtml, agent, { extension, isGrowing: true }),
      coloured: createBlockRenderer(colourIfHere, agent, { extension })
    }
    renderers.set(agent, made)
    return made
  }

  function draw(block: string, finished: boolean, agent: string): string {
    const { coloured, plain } = renderersOf(agent)
    const html = sanitize(finished ? coloured(block) : plain(block))
    return hasMath ? (math()?.draw(html) ?? html) : html
  }

  function htmlOf(block: string, finished: boolean, agent: string): string {
    hasMath ||= MAY_HAVE_MATH.test(block)
    const key = `${agent}${finished ? "+" : "-"}${block}`
    const html = cache.get(key) ?? draw(block, finished, agent)
    cache.delete(key)
    cache.set(key, html)
    const oldest = cache.keys().next().value
    if (cache.size > MAX_BLOCKS && oldest !== undefined) cache.delete(oldest)
    return html
  }

  return {
    render: (text, streaming, agent = "main"): ReadonlyArray<MarkdownBlock> => {
      const blocks = splitBlocks(asFence(text)).flatMap(splitDiagrams)
      const outlined = createOutline()
      return blocks.map((block, index) => {
        const isGrowing = streaming && index === blocks.length - 1
        const isFinished = !isGrowing || !endsInFence(block)
        const html = outlined(htmlOf(block, isFinished, agent))
        const diagram = isFinished ? diagramIn(block) : null
        return { key: String(index), html, ...(diagram === null ? {} : { diagram }) }
      })
    },
    onColours: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
