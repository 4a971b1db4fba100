import { renderMarkdown } from "./renderMarkdown.ts"
import { endsInFence, splitBlocks } from "./splitBlocks.ts"
import type { MarkdownBlock, MarkdownRenderer } from "./textTypes.ts"

const MAX_BLOCKS = 600

/** Renders markdown block by block; finished blocks are rendered once. `sanitize` is the second line of defence. */
export function createMarkdown(sanitize: (html: string) => string): MarkdownRenderer {
  const cache = new Map<string, string>()

  function htmlOf(block: string, highlight: boolean): string {
    const key = `${highlight ? "+" : "-"}${block}`
    const known = cache.get(key)
    const html = known ?? sanitize(renderMarkdown(block, highlight))
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
    }
  }
}
