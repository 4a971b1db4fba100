import { createMarkdown } from "./MarkdownRenderer.ts"
import { sanitizeHtml } from "./sanitizeHtml.ts"
import type { MarkdownRenderer } from "./textTypes.ts"

/** The page's only renderer. Import this module lazily: it pulls in the markdown and sanitiser libraries. */
export const markdown: MarkdownRenderer = createMarkdown({
  sanitize: sanitizeHtml,
  loadHighlight: async () => (await import("./highlightCode.ts")).highlightCode
})
