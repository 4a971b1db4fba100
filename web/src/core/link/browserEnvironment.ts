import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { BASE_PATH, ownName } from "../common/basePath.ts"
import type { Channel, Environment, KeptMessages, KeyValueStorage } from "./Environment.ts"

declare const __BUILD_ID__: string

/** Storage for the life of the page, for browsers that refuse persistent storage. */
export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
    removeItem: (key) => {
      values.delete(key)
    }
  }
}

const NAME = ownName("agent-console-outbox")
const STORE = "messages"

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Messages in this browser's own database, with their pictures. Rejects where the browser keeps nothing. */
async function openKept(): Promise<KeptMessages> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "id" })
  const db = await settled(opening)
  const store = (mode: IDBTransactionMode) => db.transaction(STORE, mode).objectStore(STORE)
  return {
    all: async () => {
      const messages: ReadonlyArray<WrittenMessage> = await settled(store("readonly").getAll())
      return messages.toSorted((a, b) => a.at - b.at)
    },
    put: async (message) => {
      await settled(store("readwrite").put(message))
    },
    remove: async (id) => {
      const messages = store("readwrite")
      const found = await settled(messages.getKey(id))
      await settled(messages.delete(id))
      return found !== undefined
    }
  }
}

/** How often the clock is read, and the jump that means the machine was asleep. */
const CLOCK_CHECK = 2_000
const ASLEEP = 10_000

/** The part of the origin's storage that belongs to this console. */
const ownStorage: KeyValueStorage = {
  getItem: (key) => localStorage.getItem(ownName(key)),
  setItem: (key, value) => localStorage.setItem(ownName(key), value),
  removeItem: (key) => localStorage.removeItem(ownName(key))
}

/** Storage that survives the page, if the browser allows it. */
export function lastingStorage(): KeyValueStorage {
  try {
    localStorage.setItem("agent-console:probe", "1")
    localStorage.removeItem("agent-console:probe")
    return BASE_PATH === "" ? localStorage : ownStorage
  } catch {
    return memoryStorage()
  }
}

/** `crypto.randomUUID` is missing on plain-HTTP pages of other hosts; random bytes aren't. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, "0")
  }).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

function openChannel(name: string): Channel | null {
  if (typeof BroadcastChannel === "undefined") return null
  const channel = new BroadcastChannel(ownName(name))
  return {
    post: (message) => channel.postMessage(message),
    onMessage: (listener) => channel.addEventListener("message", (event) => listener(event.data)),
    close: () => channel.close()
  }
}

/** The real browser. */
export function browserEnvironment(): Environment {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    uuid,
    build: __BUILD_ID__,
    origin: location.origin,
    storage: lastingStorage(),
    openKept,
    fetch: (url, init) => fetch(url, init),
    openSocket: (url, { onOpen, onMessage, onClose }) => {
      const socket = new WebSocket(url)
      let opened = false
      socket.onopen = () => {
        opened = true
        onOpen?.()
      }
      socket.onmessage = (event) => {
        if (typeof event.data === "string") onMessage(event.data)
      }
      socket.onclose = (event) => onClose(event.code, event.reason, opened)
      return {
        send: (text) => socket.send(text),
        close: (code, reason) => socket.close(code, reason)
      }
    },
    openChannel,
    isOnline: () => navigator.onLine,
    onOffline: (listener) => {
      window.addEventListener("offline", listener)
      return () => window.removeEventListener("offline", listener)
    },
    onLeave: (listener) => {
      window.addEventListener("pagehide", listener)
      return () => window.removeEventListener("pagehide", listener)
    },
    onShown: (listener) => {
      const changed = () => listener(document.visibilityState === "visible")
      document.addEventListener("visibilitychange", changed)
      return () => document.removeEventListener("visibilitychange", changed)
    },
    onWake: (listener) => {
      const stop = new AbortController()
      const { signal } = stop
      const shown = () => {
        if (document.visibilityState === "visible") listener()
      }
      window.addEventListener("online", listener, { signal })
      window.addEventListener("pageshow", ({ persisted }) => persisted && listener(), { signal })
      document.addEventListener("visibilitychange", shown, { signal })
      document.addEventListener("resume", shown, { signal })
      // Opening a laptop's lid may bring no event at all, but the clock has jumped.
      let at = Date.now()
      const timer = setInterval(() => {
        const slept = Date.now() - at > ASLEEP
        at = Date.now()
        if (slept) shown()
      }, CLOCK_CHECK)
      return () => {
        stop.abort()
        clearInterval(timer)
      }
    }
  }
}
