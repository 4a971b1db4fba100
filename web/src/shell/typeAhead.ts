import type { Observable } from "../core/common/Observable.ts"

/** What was typed before the palette's field was there to take it. */
export interface TypedAhead {
  readonly text: string
  /** Enter followed the text. */
  readonly isEntered: boolean
}

/** One object for both calls, because some documents compare it as it is. */
const FIRST = { capture: true } as const
const NOTHING: TypedAhead = { text: "", isEntered: false }

let held: TypedAhead = NOTHING
let release = (): void => {}

/** Hands over what was typed ahead; from then on the field takes the keys itself. */
export const takeTypedAhead = (): TypedAhead => {
  const taken = held
  release()
  return taken
}

/** The text after a key; null for a key that types nothing. */
const typed = ({ text }: TypedAhead, { key }: KeyboardEvent): TypedAhead | null => {
  if (key === "Enter") return { text, isEntered: true }
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), isEntered: false }
  return [...key].length === 1 ? { text: text + key, isEntered: false } : null
}

/** Holds the keys from the request for the palette until its field takes them: its code may still have to load. */
export const followTypeAhead = (overlay: Observable<string | null>): void => {
  overlay.subscribe((shown) => {
    release()
    if (shown !== "palette") return
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const next = event.key === "Escape" ? NOTHING : typed(held, event)
      if (next === null) return
      event.preventDefault()
      event.stopPropagation()
      held = next
      if (event.key === "Escape") overlay.set(null)
    }
    document.addEventListener("keydown", onKey, FIRST)
    release = () => {
      document.removeEventListener("keydown", onKey, FIRST)
      held = NOTHING
      release = () => {}
    }
  })
}
