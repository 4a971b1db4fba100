import { below } from "../core/common/basePath.ts"
import { createObservable, type Readable } from "../core/common/Observable.ts"

/** The current address: path and query, always of this origin. */
type Location = { readonly pathname: string; readonly search: string }

const here = (): Location => ({ pathname: window.location.pathname, search: window.location.search })

/** Whether a path on this host is none of the page's own. */
const isElsewhere = (path: string): boolean => !path.startsWith(below("/")) || path.startsWith(below("/api/"))

/** The in-page address a link click leads to; `undefined` leaves the click to the browser. */
const linkTarget = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (!(link instanceof HTMLAnchorElement) || !link.hasAttribute("href")) return undefined
  if (link.hasAttribute("download") || (link.target !== "" && link.target !== "_self")) return undefined
  const url = new URL(link.href)
  if (url.origin !== window.location.origin || isElsewhere(url.pathname)) return undefined
  if (url.hash !== "" && url.pathname === window.location.pathname) return undefined
  return url.pathname + url.search
}

export interface Router {
  readonly location: Readable<Location>
  /** Listens for link clicks and the browser's back and forward buttons. */
  start(): void
  /** Goes to an address of this origin; `replace` adds no history entry. */
  navigate(to: string, options?: { readonly replace?: boolean }): void
}

/** Client-side navigation over the History API; one per page. */
export function createRouter(): Router {
  const location = createObservable<Location>(here())

  function navigate(to: string, options: { readonly replace?: boolean } = {}): void {
    if (to === window.location.pathname + window.location.search) return
    if (options.replace === true) window.history.replaceState(null, "", to)
    else window.history.pushState(null, "", to)
    location.set(here())
  }

  return {
    location,
    start: () => {
      document.addEventListener("click", (event) => {
        const target = linkTarget(event)
        if (target === undefined) return
        event.preventDefault()
        navigate(target)
      })
      window.addEventListener("popstate", () => location.set(here()))
    },
    navigate
  }
}
