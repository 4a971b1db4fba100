import { createBlockRenderer } from "../../../web/src/core/text/createMarkdownParser.ts"
import { highlightCode } from "../../../web/src/core/text/highlightCode.ts"

export const renderMarkdown = createBlockRenderer(highlightCode)
export { nativeSanitizer } from "../../../web/src/core/text/markdown.ts"
export { purifyHtml } from "../../../web/src/core/text/purifyHtml.ts"
