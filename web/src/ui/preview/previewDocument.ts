import type { Previewed } from "./previewRequest.ts"

/** Nothing is loaded or sent. The frame's sandbox and the page's own policy, which it inherits, come on top. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"

/** What runs, frames or replaces the document; without scripts it has no use. */
const REMOVED = "script, iframe, frame, frameset, object, embed, base, link, meta[http-equiv]"

/** Attributes with an address that would be asked without a click. */
const LOADING = ["src", "srcset", "poster", "background", "data"]

const SVG_STYLE =
  "html,body{margin:0;block-size:100%}body{display:grid;place-items:center}svg{max-inline-size:100%;max-block-size:100vh}"

const TAG = /<[a-z][^<>]*>/gi
const HANDLER = /([\s"'/])on([a-z]+\s*=)/gi

/** Even a detached document reports each inline handler as a violation of the page's content policy. */
const withoutHandlers = (code: string): string =>
  code.replaceAll(TAG, (tag) => tag.replaceAll(HANDLER, (_, before: string, rest: string) => `${before}data-on${rest}`))

/** The policy stops these as well, but reports each. */
const withoutAddresses = (css: string): string =>
  css.replaceAll(/@import[^;]*;?/gi, "").replaceAll(/url\((?!\s*["']?data:)[^)]*\)/gi, "none")

const parse = ({ code, kind }: Previewed): Document =>
  new DOMParser().parseFromString(
    kind === "svg" ? `<style>${SVG_STYLE}</style>${withoutHandlers(code)}` : withoutHandlers(code),
    "text/html"
  )

/** A document as the preview's frame shows it: without scripts, and without anything from elsewhere. */
interface PreviewDocument {
  readonly html: string
  /** It does something, which the frame doesn't show. */
  readonly hasScripts: boolean
}

export const previewDocument = (previewed: Previewed): PreviewDocument => {
  const parsed = parse(previewed)
  let hasScripts = parsed.querySelector("script") !== null || withoutHandlers(previewed.code) !== previewed.code
  for (const element of parsed.querySelectorAll(REMOVED)) element.remove()
  for (const element of parsed.querySelectorAll("*"))
    for (const { name, value } of [...element.attributes]) {
      const isHandler = name.startsWith("on")
      hasScripts ||= isHandler
      const isAway = LOADING.includes(name) && !value.startsWith("data:")
      const isLink = /(?:^|:)href$/.test(name) && element.localName !== "a" && !value.startsWith("#")
      if (isHandler || isAway || isLink || /^\s*javascript:/i.test(value)) element.removeAttribute(name)
    }
  for (const style of parsed.querySelectorAll("style")) style.textContent = withoutAddresses(style.textContent ?? "")
  for (const element of parsed.querySelectorAll("[style]"))
    element.setAttribute("style", withoutAddresses(element.getAttribute("style") ?? ""))
  const policy = parsed.createElement("meta")
  policy.httpEquiv = "Content-Security-Policy"
  policy.content = POLICY
  // A link would replace the document; this way the sandbox stops it.
  const base = parsed.createElement("base")
  base.target = "_blank"
  parsed.head.prepend(policy, base)
  return { html: `<!doctype html>${parsed.documentElement.outerHTML}`, hasScripts }
}
