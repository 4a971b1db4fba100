import type { MarkdownRenderer } from "../core/textTypes.ts"

/** Loads the renderer's chunk; the browser keeps it, so later calls are cheap. */
export const loadMarkdown = async (): Promise<MarkdownRenderer> => {
  const { createMarkdownRenderer } = await import("../core/markdown.ts")
  return createMarkdownRenderer()
}
