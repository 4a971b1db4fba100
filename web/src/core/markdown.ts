import DOMPurify from "dompurify"
import { createMarkdown } from "./MarkdownRenderer.ts"
import type { MarkdownRenderer } from "./textTypes.ts"

const TAGS =
  "a,blockquote,br,button,code,del,div,em,h3,h4,h5,h6,hr,img,input,li,ol,p,pre,span,strong,table,tbody,td,th,thead,tr,ul"
const ATTRIBUTES =
  "align,alt,aria-label,checked,class,data-copy,decoding,disabled,href,loading,rel,role,scope,src,start,tabindex,target,type"

/** The renderer's output has these tags and attributes and no others; what else appears is removed. */
function sanitize(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(","),
    ALLOWED_ATTR: ATTRIBUTES.split(","),
    ALLOW_DATA_ATTR: false,
    // Applied to all attribute values but a few: known schemes, or no scheme at all.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i
  })
}

/** The page's one renderer. Import this module lazily: it brings the markdown, sanitiser and highlighting libraries. */
export const markdown: MarkdownRenderer = createMarkdown(sanitize)
