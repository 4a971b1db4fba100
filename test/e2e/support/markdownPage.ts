export { renderMarkdown } from "../../../web/src/core/renderMarkdown.ts"
export { sanitizeHtml } from "../../../web/src/core/sanitizeHtml.ts"
