import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"

/** Messages that the console doesn't have yet; they survive the page. */
export interface KeptMessages {
  all(): Promise<ReadonlyArray<WrittenMessage>>
  put(message: WrittenMessage): Promise<void>
  /** Whether it was still there: of several pages, one takes it out. */
  remove(id: string): Promise<boolean>
}

/** A socket that is opening or open. */
export interface Socket {
  send(text: string): void
  close(code?: number, reason?: string): void
}

export interface SocketHandlers {
  readonly onOpen?: () => void
  readonly onMessage: (text: string) => void
  /** Called exactly once, even if the socket never opened; `opened` is false where that is known. */
  readonly onClose: (code: number, reason: string, opened?: boolean) => void
}

export interface KeyValueStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface Channel {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  close(): void
}

/** What the core needs from the browser; tests supply their own. Timers are the global ones. */
export interface Environment {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** 0 up to, but not including, 1. */
  readonly random: () => number
  readonly uuid: () => string
  /** The build of page and server that this page is from; empty for a page that was built by itself. */
  readonly build: string
  /** The page's origin, such as `http://127.0.0.1:3080`. */
  readonly origin: string
  readonly storage: KeyValueStorage
  /** Opens what survives the page of messages that the console doesn't have yet; rejects where nothing does. */
  readonly openKept: () => Promise<KeptMessages>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly openSocket: (url: string, handlers: SocketHandlers) => Socket
  /** A channel to the other tabs, null if the browser has none. */
  readonly openChannel: (name: string) => Channel | null
  /** Whether the machine has a network at all, as far as the browser knows. */
  readonly isOnline: () => boolean
  /** Calls back when the machine has lost its network. */
  readonly onOffline: (listener: () => void) => () => void
  /** Calls back when the page is closed or left, as far as the browser says so. */
  readonly onLeave: (listener: () => void) => () => void
  /** Calls back when the page comes into view, and when it's hidden. */
  readonly onShown: (listener: (isShown: boolean) => void) => () => void
  /** Calls back when the machine is online again or was asleep, and when the page is shown again. */
  readonly onWake: (listener: () => void) => () => void
}
