import { createMarkdown } from "./MarkdownRenderer.ts"
import { sanitizeHtml } from "./sanitizeHtml.ts"
import type { MarkdownRenderer } from "./textTypes.ts"

/** The page's one renderer. Import this module lazily: it brings the markdown, sanitiser and highlighting libraries. */
export const markdown: MarkdownRenderer = createMarkdown(sanitizeHtml)
