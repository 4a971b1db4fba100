import { createObservable } from "../core/common/Observable.ts"

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

/**
 * The messages shown at the edge of the screen. A message leaves after six seconds, an offer to undo after eight, and
 * one with any other action stays; while the pointer or focus is on them, the time stops.
 */
export class Notices {
  readonly shown = createObservable<ReadonlyArray<Notice>>([])
  private readonly countdowns = new Map<number, Countdown>()
  private nextId = 1
  private held = false

  show(tone: Notice["tone"], text: string, action?: Notice["action"]): void {
    if (this.shown.get().some((notice) => notice.text === text)) return
    this.add({ tone, text, ...(action === undefined ? {} : { action }) }, action === undefined ? SHOWN_MS : null)
  }

  /**
   * Says what was done and offers to undo it. `done` runs when the offer ends unused, also when the page is left:
   * that's where to make final what was only removed from the screen.
   */
  offerUndo(text: string, undo: () => void, done?: () => void): void {
    this.add({ tone: "info", text, action: { label: "Undo", run: undo } }, UNDO_MS, done)
  }

  /** Runs a message's action and removes the message. */
  act(id: number): void {
    const notice = this.shown.get().find((candidate) => candidate.id === id)
    this.remove(id)
    notice?.action?.run()
  }

  /** Removes a message. */
  dismiss(id: number): void {
    const done = this.countdowns.get(id)?.done
    this.remove(id)
    done?.()
  }

  /** Stops the time while someone is on the messages. */
  hold(): void {
    if (this.held) return
    this.held = true
    for (const countdown of this.countdowns.values()) {
      clearTimeout(countdown.timer)
      countdown.left = Math.max(LEAST_MS, countdown.left - (performance.now() - countdown.since))
    }
  }

  /** Resumes the time. */
  release(): void {
    if (!this.held) return
    this.held = false
    for (const countdown of this.countdowns.values()) this.run(countdown)
  }

  /** Ends every message as if its time were up; for when the page is left. */
  finish(): void {
    for (const { id } of this.shown.get()) this.dismiss(id)
  }

  private add(notice: Omit<Notice, "id">, forMs: number | null, done?: () => void): void {
    const id = this.nextId++
    this.shown.set([...this.shown.get(), { ...notice, id }])
    if (forMs !== null) {
      const countdown: Countdown = { end: () => this.dismiss(id), done, left: forMs, since: 0, timer: undefined }
      this.countdowns.set(id, countdown)
      if (!this.held) this.run(countdown)
    }
    for (const old of this.shown.get().slice(0, -MAX_SHOWN)) this.dismiss(old.id)
  }

  private run(countdown: Countdown): void {
    countdown.since = performance.now()
    countdown.timer = setTimeout(countdown.end, countdown.left)
  }

  private remove(id: number): void {
    clearTimeout(this.countdowns.get(id)?.timer)
    this.countdowns.delete(id)
    this.shown.set(this.shown.get().filter((notice) => notice.id !== id))
  }
}
