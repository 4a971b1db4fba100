import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import type { SettingsStore } from "../core/settings/SettingsStore.ts"
import { inSidebarRange, SIDEBAR_WIDTHS, widthAfterKey } from "../core/settings/settingValues.ts"

/** Lets the pointer and keys move the sidebar's edge; the width is kept once the pointer lets go. */
const followSidebarEdge = (edge: HTMLElement, settings: SettingsStore): (() => void) => {
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

/** The sidebar's edge, which makes it wider and narrower: dragged, by arrow keys, and as before by a double click. */
export const SidebarEdge = component$(() => {
  const { settings } = useServices().client
  const chosen = useReadable(settings.state)
  const edge = useSignal<HTMLElement>()
  const usual = useSignal<number | null>(null)

  useBrowserTask$(({ cleanup }) => {
    const element = edge.value
    if (element === undefined) return
    usual.value = Math.round(element.parentElement?.getBoundingClientRect().width ?? 0)
    cleanup(followSidebarEdge(element, settings))
  })

  return (
    <div
      ref={edge}
      class="sidebar-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say("Width of the sidebar")}
      aria-valuemin={SIDEBAR_WIDTHS.min}
      aria-valuemax={SIDEBAR_WIDTHS.max}
      aria-valuenow={chosen.value.sidebarWidth ?? usual.value ?? undefined}
    />
  )
})
