import { createBlockRenderer } from "../../../web/src/core/text/createBlockRenderer.ts"
import { highlightCode } from "../../../web/src/core/text/highlightCode.ts"

export const renderMarkdown = createBlockRenderer(highlightCode)
export { sanitizeHtml } from "../../../web/src/core/text/sanitizeHtml.ts"
