import { createBlockRenderer } from "../../../web/src/core/createBlockRenderer.ts"
import { highlightCode } from "../../../web/src/core/highlightCode.ts"

export const renderMarkdown = createBlockRenderer(highlightCode)
export { sanitizeHtml } from "../../../web/src/core/sanitizeHtml.ts"
