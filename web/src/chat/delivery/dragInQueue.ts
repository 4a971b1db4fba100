/** Where a dragged message would go, as far as its neighbours are concerned. */
export interface Neighbour {
  readonly key: string
  readonly middle: number
}

/** The message whose place the dragged one takes when its own middle is at `at`; null for none. */
export const dropTarget = (all: ReadonlyArray<Neighbour>, key: string, at: number): string | null => {
  const from = all.findIndex((one) => one.key === key)
  const above = all.findIndex(({ middle }, index) => index < from && at < middle)
  if (above >= 0) return all[above]?.key ?? null
  return all.findLast(({ middle }, index) => index > from && at > middle)?.key ?? null
}

const entryOf = (element: Element): HTMLElement | null => element.closest<HTMLElement>("[data-item]")

/**
 * Drags the waiting message of a handle among the others with mouse, pen or finger; Escape leaves it where it is. The
 * returned function stops that.
 */
export function dragInQueue(handle: HTMLElement, dropped: (key: string) => void): () => void {
  let end: (() => void) | undefined

  const onDown = (down: PointerEvent) => {
    const entry = entryOf(handle)
    if (entry === null || down.button !== 0 || end !== undefined) return
    down.preventDefault()
    handle.setPointerCapture(down.pointerId)
    const others = [...document.querySelectorAll(".message.is-held")].flatMap((message) => entryOf(message) ?? [])
    const box = entry.getBoundingClientRect()
    const keyOf = ({ dataset }: HTMLElement) => dataset.item ?? ""
    const middles = others.map((other): Neighbour => {
      const { top, height } = other.getBoundingClientRect()
      return { key: keyOf(other), middle: top + height / 2 }
    })
    let target: string | null = null
    const mark = (key: string | null) => {
      target = key
      for (const other of others) other.classList.toggle("is-drop-place", keyOf(other) === key)
    }
    const onMove = ({ clientY }: PointerEvent) => {
      const offset = clientY - down.clientY
      entry.style.translate = `0 ${offset}px`
      mark(dropTarget(middles, keyOf(entry), box.top + box.height / 2 + offset))
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      // The same key stops the response.
      event.preventDefault()
      event.stopPropagation()
      end?.()
    }
    const onUp = () => {
      const key = target
      end?.()
      if (key !== null) dropped(key)
    }
    end = () => {
      end = undefined
      mark(null)
      entry.style.translate = ""
      entry.classList.remove("is-dragged")
      handle.removeEventListener("pointermove", onMove)
      handle.removeEventListener("pointerup", onUp)
      handle.removeEventListener("pointercancel", cancel)
      document.removeEventListener("keydown", onKey, { capture: true })
    }
    const cancel = () => end?.()
    entry.classList.add("is-dragged")
    handle.addEventListener("pointermove", onMove)
    handle.addEventListener("pointerup", onUp)
    handle.addEventListener("pointercancel", cancel)
    document.addEventListener("keydown", onKey, { capture: true })
  }

  handle.addEventListener("pointerdown", onDown)
  return () => {
    handle.removeEventListener("pointerdown", onDown)
    end?.()
  }
}
