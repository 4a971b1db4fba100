import { createObservable, type Readable } from "../core/common/Observable.ts"

import { say } from "../core/language/say.ts"

/** A short message at the edge of the screen. */
export interface Notice {
  readonly id: number
  readonly tone: "info" | "error"
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 6_000
/** Long enough to read it, find the button and press it, with a keyboard too. */
const UNDO_MS = 8_000
/** The minimum time left after the pointer or focus moves away. */
const LEAST_MS = 2_000
const MAX_SHOWN = 3

interface Countdown {
  readonly end: () => void
  readonly done: (() => void) | undefined
  left: number
  since: number
  timer: ReturnType<typeof setTimeout> | undefined
}

export interface Notices {
  readonly shown: Readable<ReadonlyArray<Notice>>
  show(tone: Notice["tone"], text: string, action?: Notice["action"]): void
  /**
   * Says what was done and offers to undo it. `done` runs when the offer ends unused, also when the page is left:
   * that's where to make final what was only removed from the screen.
   */
  offerUndo(text: string, undo: () => void, done?: () => void): void
  /** Says what was done and where it can be seen, for as long as an offer to undo; in place of the one before. */
  offer(text: string, action: NonNullable<Notice["action"]>): void
  /** Runs a message's action and removes the message. */
  act(id: number): void
  /** Removes a message. */
  dismiss(id: number): void
  /** Stops the time while someone is on the messages. */
  hold(): void
  /** Resumes the time. */
  release(): void
  /** Ends every message as if its time were up; for when the page is left. */
  finish(): void
}

/**
 * The messages shown at the edge of the screen. A message leaves after six seconds, an offer after eight, and one that
 * was shown with an action stays; while the pointer or focus is on them, the time stops.
 */
export function createNotices(): Notices {
  const shown = createObservable<ReadonlyArray<Notice>>([])
  const countdowns = new Map<number, Countdown>()
  let nextId = 1
  let held = false
  let lastOffer = 0

  function dismiss(id: number): void {
    const done = countdowns.get(id)?.done
    remove(id)
    done?.()
  }

  function add(notice: Omit<Notice, "id">, forMs: number | null, done?: () => void): void {
    const id = nextId++
    shown.set([...shown.get(), { ...notice, id }])
    if (forMs !== null) {
      const countdown: Countdown = { end: () => dismiss(id), done, left: forMs, since: 0, timer: undefined }
      countdowns.set(id, countdown)
      if (!held) run(countdown)
    }
    for (const old of shown.get().slice(0, -MAX_SHOWN)) dismiss(old.id)
  }

  function run(countdown: Countdown): void {
    countdown.since = performance.now()
    countdown.timer = setTimeout(countdown.end, countdown.left)
  }

  function remove(id: number): void {
    clearTimeout(countdowns.get(id)?.timer)
    countdowns.delete(id)
    shown.set(shown.get().filter((notice) => notice.id !== id))
  }

  return {
    shown,
    show: (tone, text, action) => {
      if (shown.get().some((notice) => notice.text === text)) return
      add({ tone, text, ...(action === undefined ? {} : { action }) }, action === undefined ? SHOWN_MS : null)
    },
    offerUndo: (text, undo, done) =>
      add({ tone: "info", text, action: { label: say("Undo"), run: undo } }, UNDO_MS, done),
    offer: (text, action) => {
      remove(lastOffer)
      lastOffer = nextId
      add({ tone: "info", text, action }, UNDO_MS)
    },
    act: (id) => {
      const notice = shown.get().find((candidate) => candidate.id === id)
      remove(id)
      notice?.action?.run()
    },
    dismiss,
    hold: () => {
      if (held) return
      held = true
      for (const countdown of countdowns.values()) {
        clearTimeout(countdown.timer)
        countdown.left = Math.max(LEAST_MS, countdown.left - (performance.now() - countdown.since))
      }
    },
    release: () => {
      if (!held) return
      held = false
      for (const countdown of countdowns.values()) run(countdown)
    },
    finish: () => {
      for (const { id } of shown.get()) dismiss(id)
    }
  }
}
