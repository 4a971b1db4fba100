import { type Component, component$, setPlatform, useContextProvider } from "@builder.io/qwik"
import { afterEach, assert, beforeEach, vi } from "@effect/vitest"
import { type Fields, fieldsOf, parseJson } from "../../../../src/contract/looseFields.ts"
import { AppContext, type AppServices, type Overlay } from "../../../src/base/AppContext.ts"
import { createNotices } from "../../../src/base/Notices.ts"
import { createRouter } from "../../../src/base/Router.ts"
import { createClient } from "../../../src/core/client/createClient.ts"
import { createCommandRegistry } from "../../../src/core/commands/CommandRegistry.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { App } from "../../../src/shell/App.tsx"
import { followKeys } from "../../../src/shell/followKeys.ts"
import { followTypeAhead } from "../../../src/shell/typeAhead.ts"
import { FakeGateway } from "../../core/support/FakeGateway.ts"
import { makeDocument } from "./testDocument.ts"

/** A request of the page to the console's server. */
export interface Asked {
  /** `METHOD /path`. */
  readonly request: string
  readonly query: URLSearchParams
  readonly body: Fields
}

/** What the server answers by `METHOD /path`: JSON, or a `Response` where the status matters; 404 to everything else. */
export type Answers = Record<string, (asked: Asked) => unknown>

export interface PageOptions {
  /** What is drawn instead of the whole page. */
  readonly part?: Component
  readonly address?: string
  readonly answers?: Answers
  readonly gateway?: FakeGateway
}

const SIGNED_IN: Answers = {
  "GET /api/auth/status": () => ({ authEnabled: false, authenticated: true }),
  "GET /api/connect-defaults": () => ({ wsUrl: "ws://x", token: null, agentName: "Ada", serverSideAuth: true })
}

/** What a keyboard event says when nothing else is held. */
const NO_KEYS = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false, repeat: false }

const Provided = component$<{ readonly services: AppServices; readonly part: Component }>((props) => {
  useContextProvider(AppContext, props.services)
  const { part: Part } = props
  return <Part />
})

/** The words that name an element: its label, else its text. */
export const wordsOf = (element: Element): string => {
  const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? []
  const labels = ids.map((id) => element.ownerDocument.getElementById(id)?.textContent ?? "")
  const label = element.id === "" ? null : element.ownerDocument.querySelector(`label[for="${element.id}"]`)
  const named = ids.length > 0 ? labels.join(" ") : (label ?? element).textContent
  const words = element.getAttribute("aria-label") ?? named
  return (words ?? "").replace(/\s+/g, " ").trim()
}

const says = (element: Element, words: string | RegExp | undefined): boolean =>
  words === undefined || (typeof words === "string" ? wordsOf(element).includes(words) : words.test(wordsOf(element)))

/** How much of the page's time passes between two looks, and for how many of them a test waits. */
const STEP_MS = 20
const STEPS = 1_000

/** Waits for what a function finds, while the page's time passes; `undefined` and throwing mean not yet. */
export const until = async <A,>(look: () => A | undefined | false): Promise<A> => {
  for (let step = 0; step < STEPS; step++) {
    const found = look()
    if (found !== undefined && found !== false) return found
    await vi.advanceTimersByTimeAsync(STEP_MS)
    // Parts of the page that are asked for arrive meanwhile.
    if (step % 5 === 0) await vi.dynamicImportSettled()
  }
  throw new Error(`Never came true: ${look}`)
}

/** Waits for what needs the page's time to pass. */
const during = async <A,>(work: Promise<A>): Promise<A> => {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  await until(() => isOver)
  return work
}

const opened: Array<AppServices> = []
beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-27T12:00:00Z") })
})
afterEach(() => {
  for (const { client } of opened.splice(0)) client.dispose()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Draws the page, or a part of it, with services that talk to a gateway and a server of the test's. */
export const openPage = async (options: PageOptions = {}) => {
  const { screen, render, userEvent } = await makeDocument(options.address ?? "/")
  const draw = (drawn: () => unknown) => new Promise<unknown>((resolve) => setTimeout(() => resolve(drawn())))
  // Draws what changed by itself, as in a browser.
  setPlatform({ isServer: false, importSymbol: () => null, nextTick: draw, raf: draw, chunkForSymbol: () => undefined })

  const gateway = options.gateway ?? new FakeGateway()
  const answers: Answers = { ...SIGNED_IN, ...options.answers }
  const asked: Array<Asked> = []
  gateway.fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url)
    const body = fieldsOf(parseJson(typeof init.body === "string" ? init.body : ""))
    const one = { request: `${init.method ?? "GET"} ${pathname}`, query: searchParams, body }
    asked.push(one)
    const answer = answers[one.request]?.(one)
    if (answer instanceof Response) return answer
    return new Response(JSON.stringify(answer ?? { error: "not_found" }), { status: answer === undefined ? 404 : 200 })
  }
  gateway.live.isThere = true
  const services: AppServices = {
    client: createClient(gateway.env),
    router: createRouter(),
    notices: createNotices(),
    commands: createCommandRegistry(),
    overlay: createObservable<Overlay>(null)
  }
  opened.push(services)
  services.router.start()
  followKeys(services)
  followTypeAhead(services.overlay)
  await during(services.client.start())
  const { part: Part } = options
  await during(render(Part === undefined ? <App services={services} /> : <Provided services={services} part={Part} />))

  const all = (selector: string, words?: string | RegExp): ReadonlyArray<HTMLElement> =>
    Array.from(screen.querySelectorAll<HTMLElement>(selector)).filter((one) => says(one, words))
  /** Waits for an element. */
  const find = (selector: string, words?: string | RegExp): Promise<HTMLElement> =>
    until(() => all(selector, words)[0]).catch(() =>
      assert.fail(`There is no ${selector} “${words ?? ""}” in: ${screen.querySelector("main")?.textContent}`)
    )
  /** Waits until no such element is left. */
  const gone = (selector: string, words?: string | RegExp): Promise<boolean> =>
    until(() => all(selector, words).length === 0).catch(() =>
      assert.fail(`There still is ${selector} “${words ?? ""}” in: ${screen.querySelector("main")?.textContent}`)
    )
  const fire = async (element: Element, type: string, fields: object = {}): Promise<void> => {
    // What the page's own attributes handle comes first, as in a browser.
    await during(userEvent(element, type, fields))
    const event = element.ownerDocument.createEvent("Event")
    event.initEvent(type, true, true)
    element.dispatchEvent(Object.assign(event, fields))
  }
  return {
    screen,
    services,
    gateway,
    answers,
    asked,
    all,
    find,
    gone,
    fire,
    /** Sends an event from the server to every page. */
    tell: (name: string, data: unknown) => gateway.live.tell(name, data),
    press: async (selector: string, words?: string | RegExp) =>
      fire(await find(selector, words), "click", { button: 0 }),
    /** Ticks a box or a switch, or takes the tick away. */
    toggle: async (selector: string, words?: string | RegExp) => {
      const box = await find(selector, words)
      Object.assign(box, { checked: !Reflect.get(box, "checked") })
      await fire(box, "change")
    },
    /** Chooses an option by its value. */
    choose: async (selector: string, value: string) => {
      const select = await find(selector)
      Object.assign(select, { value })
      await fire(select, "change")
    },
    /** Writes into a field in place of what it held. */
    write: async (selector: string, text: string) => {
      const field = await find(selector)
      Object.assign(field, { value: text })
      await fire(field, "input")
    },
    /** Presses a key where the focus is. */
    key: (key: string, held: object = {}) =>
      fire(screen.ownerDocument.activeElement ?? screen, "keydown", { ...NO_KEYS, key, ...held })
  }
}

export type OpenedPage = Awaited<ReturnType<typeof openPage>>
