import DOMPurify from "dompurify"

const TAGS =
  "a,blockquote,br,button,code,del,div,em,h1,h2,h3,h4,h5,h6,hr,img,input,li,ol,p,pre,span,strong,table,tbody,td,th,thead,tr,ul"
const ATTRIBUTES =
  "align,alt,aria-label,checked,class,data-copy,data-picture,decoding,disabled,href,loading,rel,role,scope,src,start,tabindex,target,type"

/** The second line of defence behind a renderer that is safe by construction: anything not made by it is removed. */
export function sanitizeHtml(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(","),
    ALLOWED_ATTR: ATTRIBUTES.split(","),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Applied to almost all attribute values: known schemes, or no scheme at all.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i
  })
}
