import DOMPurify from "dompurify"
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, ALLOWED_URL } from "./htmlRenderer.ts"

/** Keeps of some HTML what the renderer writes, in browsers without a sanitiser of their own. */
export const purifyHtml = (html: string): string =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ALLOWED_ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Applied to almost all attribute values.
    ALLOWED_URI_REGEXP: ALLOWED_URL
  })
