/** Elements the renderer writes. */
export const ALLOWED_TAGS =
  "a,blockquote,br,button,code,del,details,div,em,h1,h2,h3,h4,h5,h6,hr,img,input,li,ol,p,pre,span,strong,summary,sup,table,tbody,td,th,thead,tr,ul".split(
    ","
  )

/** Attributes the renderer writes. */
export const ALLOWED_ATTRIBUTES =
  "align,alt,aria-label,checked,class,data-copy,data-picture,decoding,dir,disabled,href,loading,open,rel,role,scope,src,start,tabindex,target,type".split(
    ","
  )

/** Addresses with a known scheme, or without any. */
export const ALLOWED_URL = /^(?:https?:|mailto:|data:image\/|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i
