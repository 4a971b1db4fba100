import type { SettingsStore } from "../core/settings/SettingsStore.ts"
import { inSidebarRange, widthAfterKey } from "../core/settings/settingValues.ts"

/** Lets the pointer and keys move the sidebar's edge; the width is kept once the pointer lets go. */
export const followSidebarEdge = (edge: HTMLElement, settings: SettingsStore): (() => void) => {
  const root = document.documentElement
  const isRightToLeft = () => getComputedStyle(edge).direction === "rtl"
  const box = () => edge.parentElement?.getBoundingClientRect() ?? new DOMRect()
  const stop = new AbortController()
  const listen = { signal: stop.signal }
  let dragged: number | null = null

  edge.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return
      event.preventDefault()
      edge.focus()
      edge.setPointerCapture(event.pointerId)
    },
    listen
  )
  edge.addEventListener(
    "pointermove",
    (event) => {
      if (!edge.hasPointerCapture(event.pointerId)) return
      const { left, right } = box()
      dragged = inSidebarRange(isRightToLeft() ? right - event.clientX : event.clientX - left)
      root.style.setProperty("--sidebar", `${dragged}px`)
    },
    listen
  )
  edge.addEventListener(
    "lostpointercapture",
    () => {
      if (dragged !== null) settings.update({ sidebarWidth: dragged })
      dragged = null
    },
    listen
  )
  edge.addEventListener("dblclick", () => settings.update({ sidebarWidth: null }), listen)
  edge.addEventListener(
    "keydown",
    (event) => {
      const width = widthAfterKey(event.key, box().width, isRightToLeft())
      if (width === null || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      settings.update({ sidebarWidth: width })
    },
    listen
  )
  return () => stop.abort()
}
