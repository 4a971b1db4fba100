import { Observable } from "../core/Observable.ts"

/** A short message at the edge of the screen. */
export interface Notice {
  readonly id: number
  readonly tone: "info" | "error"
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 6000
const MAX_SHOWN = 3

/** The messages shown at the edge of the screen; each leaves after six seconds unless it offers an action. */
export class Notices {
  readonly shown = new Observable<ReadonlyArray<Notice>>([])
  private nextId = 1

  show(tone: Notice["tone"], text: string, action?: Notice["action"]): void {
    if (this.shown.get().some((notice) => notice.text === text)) return
    const notice: Notice = { id: this.nextId++, tone, text, ...(action === undefined ? {} : { action }) }
    this.shown.set([...this.shown.get(), notice].slice(-MAX_SHOWN))
    if (action === undefined) setTimeout(() => this.dismiss(notice.id), SHOWN_MS)
  }

  dismiss(id: number): void {
    this.shown.set(this.shown.get().filter((notice) => notice.id !== id))
  }
}
