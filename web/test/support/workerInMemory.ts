import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { workerSource } from "../../build/serviceWorker.ts"

const PROGRAM = ["sw.js", "swPush.js"]
  .map((name) => readFileSync(new URL(`../../build/${name}`, import.meta.url), "utf8"))
  .join("\n")
const ORIGIN = "http://console.test"

const pathOf = (request: Request | string): string =>
  new URL(typeof request === "string" ? request : request.url, ORIGIN).pathname

/** An answer that came by way of a redirect on the same address. */
export const redirected = (answer: Response): Response => Object.defineProperty(answer, "redirected", { value: true })

/** Files as they are kept by a browser, under the names of its caches. */
export type Kept = Map<string, Map<string, Response>>

export interface WorkerOptions {
  /** The files of the build by path; those of the shell need not be among them. */
  readonly files: Readonly<Record<string, string>>
  readonly shell: ReadonlyArray<string>
  readonly later: ReadonlyArray<string>
  /** What answers at the console's address; `cache` is how the browser's own cache is used. */
  readonly answer: (
    path: string,
    init: { readonly method: string; readonly cache: string; readonly body: unknown }
  ) => Response | Promise<Response>
  readonly kept?: Kept
  /** The path below which the worker's console is served. */
  readonly basePath?: string
}

/** A notification that is shown. */
export interface Notice {
  readonly title: string
  readonly tag: string
  readonly body?: string
  readonly data?: unknown
  readonly close: () => void
}

/** The service worker's program in memory, with what the browser gives it. */
export const workerInMemory = ({ files, shell, later, answer, kept = new Map(), basePath = "" }: WorkerOptions) => {
  const listeners = new Map<string, Array<(event: object) => void>>()
  const notices: Array<Notice> = []
  const opened: Array<string> = []
  const cacheOf = (name: string) => {
    const entries = kept.get(name) ?? new Map<string, Response>()
    kept.set(name, entries)
    return {
      match: async (request: Request | string) => entries.get(pathOf(request))?.clone(),
      put: async (request: Request | string, response: Response) => void entries.set(pathOf(request), response),
      delete: async (request: Request | string) => entries.delete(pathOf(request))
    }
  }
  const self = {
    location: { origin: ORIGIN, href: `${ORIGIN}${basePath}/sw.js` },
    navigator: { userAgent: "Chrome/1 AppleWebKit" },
    addEventListener: (name: string, listener: (event: object) => void) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    skipWaiting: async () => {},
    clients: {
      matchAll: async () => [],
      claim: async () => {},
      openWindow: async (path: string) => void opened.push(path)
    },
    registration: {
      showNotification: async (title: string, options: Omit<Notice, "title" | "close">) => {
        const notice = { title, ...options, close: () => void notices.splice(notices.indexOf(notice), 1) }
        notices.push(notice)
      },
      getNotifications: async () => notices,
      pushManager: {
        getSubscription: async () => null,
        subscribe: async () => ({ toJSON: () => ({ endpoint: "https://push.test/made", keys: {} }) })
      }
    }
  }
  const source = workerSource(PROGRAM, shell, later, Object.keys(files), (path) => files[path] ?? path)
  runInNewContext(source, {
    self,
    caches: {
      keys: async () => [...kept.keys()],
      open: async (name: string) => cacheOf(name),
      delete: async (name: string) => kept.delete(name)
    },
    fetch: async (request: Request | string, init: RequestInit = {}) =>
      answer(pathOf(request), { method: init.method ?? "GET", cache: init.cache ?? "default", body: init.body }),
    crypto,
    btoa,
    URL,
    Response,
    Uint8Array
  })

  /** Sends an event and waits for all that the worker does about it. */
  const send = async (name: string, event: object = {}): Promise<void> => {
    const works: Array<Promise<unknown>> = []
    for (const listener of listeners.get(name) ?? [])
      listener({ ...event, waitUntil: (work: Promise<unknown>) => works.push(work) })
    await Promise.all(works)
  }

  return {
    notices,
    opened,
    kept,
    send,
    /** What a page gets for a path, as the worker answers it; `undefined` where it leaves the request to the browser. */
    ask: async (path: string): Promise<Response | undefined> => {
      let given: Promise<Response> | undefined
      const request = new Request(`${ORIGIN}${path}`)
      for (const listener of listeners.get("fetch") ?? [])
        listener({ request, respondWith: (response: Promise<Response>) => (given = response) })
      return given
    },
    keepAll: () => send("message", { data: { type: "keepAll" } }),
    /** Presses a button of a notification. */
    press: (action: string, data: object) =>
      send("notificationclick", { action, notification: { data, close: () => {} } })
  }
}
