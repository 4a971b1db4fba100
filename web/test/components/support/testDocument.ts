import { createDOM } from "@builder.io/qwik/testing"
import { vi } from "@effect/vitest"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"

type Handles = Parameters<typeof Object.defineProperties>[1]

/** The focus of each document; the renderer's own knows none. */
const focused = new WeakMap<Document, Element>()

const notify = (target: Element | undefined, type: string, bubbles: boolean): void => {
  if (target === undefined) return
  const event = target.ownerDocument.createEvent("Event")
  event.initEvent(type, bubbles, false)
  target.dispatchEvent(event)
}

const moveFocus = (page: Document, to: Element | undefined): void => {
  const from = focused.get(page)
  if (from === to) return
  if (to === undefined) focused.delete(page)
  else focused.set(page, to)
  notify(from, "blur", false)
  notify(from, "focusout", true)
  notify(to, "focus", false)
  notify(to, "focusin", true)
}

const attributeOf = (name: PropertyKey): string =>
  `data-${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const dataOf = (element: Element): DOMStringMap =>
  new Proxy<DOMStringMap>(
    {},
    {
      get: (_, name) => element.getAttribute(attributeOf(name)) ?? undefined,
      has: (_, name) => element.hasAttribute(attributeOf(name)),
      set: (_, name, value) => {
        element.setAttribute(attributeOf(name), String(value))
        return true
      },
      deleteProperty: (_, name) => {
        element.removeAttribute(attributeOf(name))
        return true
      }
    }
  )

const optionsOf = (select: Element): ReadonlyArray<HTMLOptionElement> => Array.from(select.querySelectorAll("option"))
const valueOf = (option: Element): string => option.getAttribute("value") ?? option.textContent ?? ""

/** What every element of a browser has besides what the renderer's document knows. Nothing has a size or a place. */
const ELEMENT: Handles = {
  focus: {
    value(this: Element) {
      moveFocus(this.ownerDocument, this)
    }
  },
  blur: {
    value(this: Element) {
      if (focused.get(this.ownerDocument) === this) moveFocus(this.ownerDocument, undefined)
    }
  },
  dataset: {
    get(this: Element) {
      return dataOf(this)
    }
  },
  getAnimations: { value: () => [] },
  getBoundingClientRect: { value: () => ({ left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 }) },
  getClientRects: { value: () => [{}] },
  scrollIntoView: { value: () => {} },
  scrollTo: { value: () => {} },
  select: { value: () => {} }
}

const DIALOG: Handles = {
  showModal: {
    value(this: Element) {
      this.setAttribute("open", "")
    }
  },
  close: {
    value(this: Element) {
      this.removeAttribute("open")
    }
  }
}

const SELECT: Handles = {
  value: {
    get(this: Element) {
      const all = optionsOf(this)
      const chosen = all.find(({ selected }) => selected) ?? all[0]
      return chosen === undefined ? "" : valueOf(chosen)
    },
    set(this: Element, value: string) {
      for (const option of optionsOf(this)) option.selected = valueOf(option) === value
    }
  }
}

/** The selection of each text field; elsewhere than where it was put, it's at the end. */
const selections = new WeakMap<Element, { readonly start: number; readonly end: number; readonly of: string }>()

const selectionOf = (area: HTMLTextAreaElement): { readonly start: number; readonly end: number } => {
  const known = selections.get(area)
  const end = area.value.length
  return known?.of === area.value ? known : { start: end, end }
}

const TEXTAREA: Handles = {
  selectionStart: {
    get(this: HTMLTextAreaElement) {
      return selectionOf(this).start
    }
  },
  selectionEnd: {
    get(this: HTMLTextAreaElement) {
      return selectionOf(this).end
    }
  },
  setSelectionRange: {
    value(this: HTMLTextAreaElement, start: number, end: number) {
      selections.set(this, { start, end, of: this.value })
    }
  }
}

const MORE: Readonly<Record<string, Handles>> = { DIALOG, SELECT, TEXTAREA }

/** Classes of a browser by an element that is of them; code asks what something is. */
const CLASSES: Readonly<Record<string, string>> = {
  HTMLAnchorElement: "a",
  HTMLButtonElement: "button",
  HTMLDialogElement: "dialog",
  HTMLElement: "section",
  HTMLDetailsElement: "details",
  HTMLIFrameElement: "iframe",
  HTMLInputElement: "input",
  HTMLLinkElement: "link",
  HTMLSelectElement: "select",
  HTMLTextAreaElement: "textarea"
}

/** A class that every value is of for which a rule holds. */
const classWhere = (holds: (value: unknown) => boolean): object =>
  Object.defineProperty(() => {}, Symbol.hasInstance, { value: holds })

const nodeType = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, "nodeType") : undefined

/** Prototypes with what a browser's elements have, by the renderer's own, which can't be changed. */
const fuller = new Map<object, object>()

/** A selector as the renderer's document takes it: nothing is pointed at there, and every focus is one to be seen. */
const plain = (selector: string): string =>
  selector.replaceAll(":focus-visible", ":focus").replace(/:(hover|active|popover-open|focus-within)\b/g, ":not(*)")

/** The same questions, asked with any selector. */
const questionsOf = (own: ParentNode & Pick<Element, "matches" | "closest">): Handles => {
  const { closest, matches, querySelector, querySelectorAll } = own
  return {
    closest: {
      value(this: Element, selector: string) {
        return closest?.call(this, plain(selector))
      }
    },
    matches: {
      value(this: Element, selector: string) {
        return matches?.call(this, plain(selector))
      }
    },
    querySelector: {
      value(this: Element, selector: string) {
        return querySelector.call(this, plain(selector)) ?? null
      }
    },
    // Some of its lists aren't for `of`.
    querySelectorAll: {
      value(this: Element, selector: string) {
        return Array.from(querySelectorAll.call(this, plain(selector)))
      }
    }
  }
}

const asInBrowsers = <E extends Element>(element: E): E => {
  const own = Object.getPrototypeOf(element)
  const known = fuller.get(own)
  const prototype: object = known ?? Object.create(own, { ...ELEMENT, ...MORE[element.tagName], ...questionsOf(own) })
  if (known === undefined) fuller.set(own, prototype)
  return Object.setPrototypeOf(element, prototype)
}

/** Reports nothing, because there's no layout. */
class SilentObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const noStyle = { overflowX: "auto", overflowY: "auto", getPropertyValue: () => "" }

const noMedia = { matches: false, addEventListener: () => {}, removeEventListener: () => {} }

/** A document of the test's own at an address, which the page's modules find as a browser's. */
export const makeDocument = async (address: string): Promise<Awaited<ReturnType<typeof createDOM>>> => {
  const dom = await createDOM()
  const page = dom.screen.ownerDocument
  const classOf = (tag: string) => Object.getPrototypeOf(page.createElement(tag)).constructor
  const classes = Object.entries(CLASSES).map(([name, tag]): [string, unknown] => [name, classOf(tag)])
  const make = page.createElement.bind(page)
  page.createElement = (...given: Parameters<typeof make>) => asInBrowsers(make(...given))
  Object.defineProperty(page, "activeElement", {
    get: () => {
      const element = focused.get(page)
      return element?.isConnected === true ? element : page.body
    }
  })
  Object.defineProperties(
    page,
    questionsOf(
      Object.assign(Object.create(null), page, {
        querySelector: page.querySelector,
        querySelectorAll: page.querySelectorAll
      })
    )
  )
  Object.defineProperty(page, "visibilityState", { value: "visible" })
  Object.defineProperty(page, "defaultView", { value: globalThis })
  const listeners = new EventTarget()
  const goTo = (url: string) => Object.assign(location, pathOf(new URL(url, location.href)))
  const location = pathOf(new URL(address, "http://console.test"))
  const history = {
    pushState: (_state: unknown, _title: string, url: string) => void goTo(url),
    replaceState: (_state: unknown, _title: string, url: string) => void goTo(url)
  }
  const globals = {
    document: page,
    localStorage: memoryStorage(),
    sessionStorage: memoryStorage(),
    location,
    history,
    Element: classWhere((value) => nodeType(value) === 1),
    Node: classWhere((value) => typeof nodeType(value) === "number"),
    ...Object.fromEntries(classes),
    IntersectionObserver: SilentObserver,
    MutationObserver: SilentObserver,
    ResizeObserver: SilentObserver,
    matchMedia: () => noMedia,
    getComputedStyle: () => noStyle,
    requestAnimationFrame: (draw: () => void) => setTimeout(draw),
    cancelAnimationFrame: (frame: ReturnType<typeof setTimeout>) => clearTimeout(frame),
    addEventListener: listeners.addEventListener.bind(listeners),
    removeEventListener: listeners.removeEventListener.bind(listeners),
    dispatchEvent: listeners.dispatchEvent.bind(listeners),
    CSS: { supports: () => true, escape: (text: string) => text.replace(/[^\w-]/g, (sign) => `\\${sign}`) }
  }
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  vi.stubGlobal("window", globalThis)
  return dom
}

const pathOf = ({ pathname, search, href, origin, hash }: URL) => ({ pathname, search, href, origin, hash })
