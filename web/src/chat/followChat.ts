import type { AppServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { createObservable } from "../core/common/Observable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import {
  itemAt,
  keepReadingPlace,
  newSince,
  placeOf,
  type ReadingPlace,
  readingPlace
} from "../core/conversation/readingPlaces.ts"
import type { KeyValueStorage } from "../core/link/Environment.ts"
import { previewRequest } from "../ui/preview/previewRequest.ts"
import { chatCommands } from "./chatCommands.ts"
import { chatRequest } from "./chatRequest.ts"

/** An item that a log should bring into view. */
interface Reveal {
  readonly key: string
  /** Pixels from the top of the log to the item's; without it the item comes to the middle. */
  readonly offset?: number
  /** Messages below that are new to the reader. */
  readonly missed?: number
}

/** The latest request; a new object for every one. */
export const revealed = createObservable<Reveal | null>(null)

/** The item before which everything is known to the reader; null if nothing is new. */
export const newFrom = createObservable<string | null>(null)

/** Milliseconds after the last move of a log until its place is looked at. */
const STILL_MS = 120
/** Milliseconds that older pages may take until the reader stays where they are. */
const SEARCH_MS = 5_000
/** Frames in which a place is held while the texts around it get their size. */
const SETTLING = 90
/** Moves of a reader, who is never pulled back. */
const OWN_MOVES = ["wheel", "touchstart", "pointerdown", "keydown"] as const
/** Pixels from the end that still count as being there. */
const NEAR_END = 24

/** The reader's place in the log; null while the log is empty. */
const placeNow = (chat: ChatStore, log: HTMLElement): ReadingPlace | null => {
  const { items } = chat.state.get()
  const newest = items.findLast(({ at }) => at !== null)
  if (newest === undefined) return null
  const last = placeOf(chat, newest)
  if (log.scrollHeight - log.clientHeight - log.scrollTop <= NEAR_END) return { top: null, last }
  const edge = log.getBoundingClientRect().top
  const seen = [...log.querySelectorAll<HTMLElement>("[data-item]")].find(
    (element) => element.getBoundingClientRect().bottom > edge
  )
  const key = seen?.dataset.item?.replace(/^tools:/, "")
  const item = items.find((candidate) => candidate.key === key)
  if (seen === undefined || item === undefined) return null
  return { top: { ...placeOf(chat, item), offset: Math.round(seen.getBoundingClientRect().top - edge) }, last }
}

/** The row of tool calls or the item itself, as the log draws it. */
const drawn = (log: HTMLElement, key: string): HTMLElement | null =>
  log.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"], [data-item="tools:${CSS.escape(key)}"]`)

/** The first state that isn't loading any more, with the older pages that a place needs. */
const itemWhenLoaded = async (chat: ChatStore, place: ReadingPlace, signal: AbortSignal): Promise<string | null> => {
  await new Promise<void>((resolve) => {
    if (chat.state.get().status === "ready") return resolve()
    const stop = chat.state.subscribe(({ status }) => {
      if (status !== "ready") return
      stop()
      resolve()
    })
    signal.addEventListener("abort", () => {
      stop()
      resolve()
    })
  })
  if (place.top === null) return null
  while (!signal.aborted) {
    const key = itemAt(chat, place.top)
    if (key !== null) return key
    const before = chat.state.get().items.length
    await chat.loadOlder()
    if (chat.state.get().items.length === before) return chat.state.get().items[0]?.key ?? null
  }
  return null
}

/**
 * Brings the reader back to where they left a session on this device, and remembers where they leave it. `leads` says
 * whether something else decides on the place, such as a link to a message.
 */
const followReading = (
  chat: ChatStore,
  storage: KeyValueStorage,
  sessionKey: string,
  leads: () => boolean
): (() => void) => {
  const control = new AbortController()
  const { signal } = control
  const own = new AbortController()
  const log = document.getElementById("log")
  let place: ReadingPlace | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBack = false

  const look = () => {
    if (isBack && log?.isConnected === true) place = placeNow(chat, log) ?? place
  }
  const keep = () => {
    look()
    if (place !== null) keepReadingPlace(storage, sessionKey, place)
  }
  const onScroll = () => {
    clearTimeout(timer)
    timer = setTimeout(look, STILL_MS)
  }

  /** Texts above and in view may still grow: fonts, formulas, pictures. */
  const settle = (key: string, offset: number, left: number) => {
    if (left === 0 || own.signal.aborted || signal.aborted) return
    const element = log === null ? null : drawn(log, key)
    if (log !== null && element !== null) {
      const off = element.getBoundingClientRect().top - log.getBoundingClientRect().top - offset
      if (Math.abs(off) >= 1) log.scrollTop += off
    }
    requestAnimationFrame(() => settle(key, offset, left - 1))
  }

  const goBack = async () => {
    const kept = readingPlace(storage, sessionKey)
    if (kept !== null && !leads()) {
      const key = await itemWhenLoaded(
        chat,
        kept,
        AbortSignal.any([signal, own.signal, AbortSignal.timeout(SEARCH_MS)])
      )
      if (signal.aborted) return
      const news = newSince(chat, kept.last)
      newFrom.set(news?.key ?? null)
      if (key !== null && kept.top !== null && !own.signal.aborted && !leads()) {
        const { offset } = kept.top
        revealed.set({ key, offset, missed: news?.count ?? 0 })
        settle(key, offset, SETTLING)
      }
    }
    isBack = true
    look()
  }

  const stopOwn = () => own.abort()
  log?.addEventListener("scroll", onScroll, { passive: true })
  for (const move of OWN_MOVES) log?.addEventListener(move, stopOwn, { passive: true })
  window.addEventListener("pagehide", keep)
  document.addEventListener("visibilitychange", keep)
  const stopNew = chat.state.subscribe(({ items }) => {
    const newest = items.at(-1)
    if (newest?.kind === "user" && newest.delivery === "sending") newFrom.set(null)
  })
  void goBack()
  return () => {
    keep()
    control.abort()
    clearTimeout(timer)
    stopNew()
    newFrom.set(null)
    log?.removeEventListener("scroll", onScroll)
    for (const move of OWN_MOVES) log?.removeEventListener(move, stopOwn)
    window.removeEventListener("pagehide", keep)
    document.removeEventListener("visibilitychange", keep)
  }
}

/**
 * Marks the message that was tapped last, which shows its controls where no pointer can hover: styles look for the mark.
 * A tap elsewhere takes it away. Ends when the returned function is called.
 */
const followTaps = (): (() => void) => {
  let tapped: HTMLElement | null = null
  const onClick = ({ target }: MouseEvent) => {
    const entry = target instanceof Element ? target.closest<HTMLElement>("#log .entry") : null
    if (entry === tapped) return
    delete tapped?.dataset.tapped
    if (entry !== null) entry.dataset.tapped = ""
    tapped = entry
  }
  document.addEventListener("click", onClick)
  return () => document.removeEventListener("click", onClick)
}

/**
 * Follows a conversation on screen until the returned function is called: shows a message that the address names, and
 * otherwise where the reader left it; offers its commands.
 */
export function followChat(app: AppServices, chat: ChatStore, sessionKey: string): () => void {
  const { location } = app.router
  const namesMessage = () => {
    const address = location.get()
    return address.search.includes("at=") && addressedSession(address) === chat.state.get().sessionKey
  }
  const find = () => {
    if (namesMessage()) chatRequest.set({ kind: "message", query: location.get().search })
  }
  const stops = [
    app.commands.register(() => chatCommands(app, chat, sessionKey)),
    location.subscribe(find),
    followTaps(),
    followReading(chat, app.client.storage, sessionKey, namesMessage)
  ]
  find()
  return () => {
    for (const stop of stops) stop()
    chatRequest.set(null)
    previewRequest.set(null)
  }
}
