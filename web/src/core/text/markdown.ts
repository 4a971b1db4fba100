import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, ALLOWED_URL } from "./htmlRenderer.ts"
import { createMarkdown, type MarkdownRenderer } from "./MarkdownRenderer.ts"

type Sanitize = (html: string) => string

/** The browser's own sanitiser; null where it has none. It also drops whatever runs scripts, were it allowed or not. */
export const nativeSanitizer = (): Sanitize | null => {
  const setHtml: unknown = Reflect.get(Element.prototype, "setHTML")
  if (typeof setHtml !== "function") return null
  // In a document of its own nothing is loaded or run.
  const place = document.implementation.createHTMLDocument("").body
  const options = { sanitizer: { elements: ALLOWED_TAGS, attributes: ALLOWED_ATTRIBUTES } }
  return (html) => {
    Reflect.apply(setHtml, place, [html, options])
    for (const name of ["href", "src"])
      for (const element of place.querySelectorAll(`[${name}]`))
        if (!ALLOWED_URL.test(element.getAttribute(name) ?? "")) element.removeAttribute(name)
    return place.innerHTML
  }
}

/**
 * The second line of defence behind a renderer that is safe by construction: anything not made by it is removed. Only
 * browsers without a sanitiser of their own load a library for it, 10 KB compressed.
 */
export const loadSanitizer = async (): Promise<Sanitize> =>
  nativeSanitizer() ?? (await import("./purifyHtml.ts")).purifyHtml

/** Makes the page's only renderer. Import this module lazily: it pulls in the markdown library. */
export const createPageMarkdown = async (): Promise<MarkdownRenderer> =>
  createMarkdown({
    sanitize: await loadSanitizer(),
    loadHighlight: async () => (await import("./highlightCode.ts")).highlightCode,
    loadMath: async (onArrival) => {
      const { createMath } = await import("./math/createMath.ts")
      return createMath(async () => (await import("./math/typeset.ts")).loadTypeset(), onArrival)
    }
  })
