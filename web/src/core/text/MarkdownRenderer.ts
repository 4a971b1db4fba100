import { createBlockRenderer } from "./createBlockRenderer.ts"
import { escapeHtml } from "./escapeHtml.ts"
import { createOutline } from "./outline.ts"
import { endsInFence, splitBlocks } from "./splitBlocks.ts"
import type { Highlight, MarkdownBlock, MarkdownRenderer } from "./textTypes.ts"

const MAX_BLOCKS = 600

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
}

/** Renders markdown block by block; finished blocks are rendered once. Code is plain until highlighting is loaded. */
export function createMarkdown({ sanitize, loadHighlight }: MarkdownParts): MarkdownRenderer {
  const cache = new Map<string, string>()
  const listeners = new Set<() => void>()
  let highlight: Highlight | null = null
  let loading = false

  const colourIfHere: Highlight = (code, language) => {
    if (highlight !== null) return highlight(code, language)
    if (!loading && language !== "") load()
    return escapeHtml(code)
  }
  const renderers = new Map<string, BlockRenderers>()
  const renderersOf = (agent: string): BlockRenderers => {
    const known = renderers.get(agent)
    if (known !== undefined) return known
    const made = {
      plain: createBlockRenderer(escapeHtml, agent),
      coloured: createBlockRenderer(colourIfHere, agent)
    }
    renderers.set(agent, made)
    return made
  }

  function load(): void {
    loading = true
    loadHighlight().then(
      (loaded) => {
        highlight = loaded
        cache.clear()
        for (const listener of listeners) listener()
      },
      () => {
        loading = false
      }
    )
  }

  function htmlOf(block: string, finished: boolean, agent: string): string {
    const key = `${agent}${finished ? "+" : "-"}${block}`
    const known = cache.get(key)
    const { coloured, plain } = renderersOf(agent)
    const html = known ?? sanitize(finished ? coloured(block) : plain(block))
    cache.delete(key)
    cache.set(key, html)
    const oldest = cache.keys().next().value
    if (cache.size > MAX_BLOCKS && oldest !== undefined) cache.delete(oldest)
    return html
  }

  return {
    render: (text, streaming, agent = "main"): ReadonlyArray<MarkdownBlock> => {
      const blocks = splitBlocks(text)
      const outlined = createOutline()
      return blocks.map((block, index) => {
        const isGrowing = streaming && index === blocks.length - 1
        return { key: String(index), html: outlined(htmlOf(block, !isGrowing || !endsInFence(block), agent)) }
      })
    },
    onColours: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
