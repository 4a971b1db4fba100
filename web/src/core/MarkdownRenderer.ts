import { createBlockRenderer } from "./createBlockRenderer.ts"
import { escapeHtml } from "./escapeHtml.ts"
import { endsInFence, splitBlocks } from "./splitBlocks.ts"
import type { Highlight, MarkdownBlock, MarkdownRenderer } from "./textTypes.ts"

const MAX_BLOCKS = 600

/** What the renderer needs of the page. */
export interface MarkdownParts {
  /** The second line of defence behind a renderer that is safe by construction. */
  readonly sanitize: (html: string) => string
  /** Fetches the colouring of code; asked for with the first finished code block, again after a failure. */
  readonly loadHighlight: () => Promise<Highlight>
}

/** Renders markdown block by block; finished blocks are rendered once. Code is plain until its colouring is here. */
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
  const plain = createBlockRenderer(escapeHtml)
  const coloured = createBlockRenderer(colourIfHere)

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

  function htmlOf(block: string, finished: boolean): string {
    const key = `${finished ? "+" : "-"}${block}`
    const known = cache.get(key)
    const html = known ?? sanitize(finished ? coloured(block) : plain(block))
    cache.delete(key)
    cache.set(key, html)
    const oldest = cache.keys().next().value
    if (cache.size > MAX_BLOCKS && oldest !== undefined) cache.delete(oldest)
    return html
  }

  return {
    render: (text, streaming): ReadonlyArray<MarkdownBlock> => {
      const blocks = splitBlocks(text)
      return blocks.map((block, index) => {
        const isGrowing = streaming && index === blocks.length - 1
        return { key: String(index), html: htmlOf(block, !isGrowing || !endsInFence(block)) }
      })
    },
    onColours: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
