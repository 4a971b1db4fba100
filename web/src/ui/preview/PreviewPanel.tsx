import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useReadable } from "../../base/useReadable.ts"
import { say } from "../../core/language/say.ts"
import type { KeyValueStorage } from "../../core/link/Environment.ts"
import { Dialog } from "../Dialog.tsx"
import { Icon } from "../Icon.tsx"
import { PreviewBody } from "./PreviewBody.tsx"
import { previewRequest } from "./previewRequest.ts"
import "./preview.css"

const KEY = "preview.width"

/** Share of the screen that the preview takes, in percent. */
const WIDTHS = { least: 25, usual: 45, most: 65 } as const

const bounded = (width: number): number => Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)))

/** The width that was chosen last on this device. */
const keptWidth = (storage: KeyValueStorage): number => {
  const kept = Number(storage.getItem(KEY) ?? "")
  return kept > 0 ? bounded(kept) : WIDTHS.usual
}

const keepWidth = (storage: KeyValueStorage, width: number): void => storage.setItem(KEY, String(width))

/** Too narrow for a panel and a conversation beside each other. */
const NARROW = "(max-width: 1000px)"
const KEY_STEP = 5

/** The preview beside a conversation; over it where there's no room for both. */
export const PreviewPanel = component$(() => {
  const app = useServices()
  const previewed = useReadable(previewRequest)
  const panel = useSignal<HTMLElement>()
  const edge = useSignal<HTMLElement>()
  const width = useSignal(() => keptWidth(app.client.storage))
  const isNarrow = useConstant(() => matchMedia(NARROW).matches)
  const close = $(() => previewRequest.set(null))

  useBrowserTask$(({ track, cleanup }) => {
    const element = track(() => panel.value)
    if (element === undefined) return
    const opener = document.activeElement
    const room = element.parentElement
    element.focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return
      event.preventDefault()
      event.stopPropagation()
      previewRequest.set(null)
    }
    element.addEventListener("keydown", onKey)
    cleanup(() => {
      element.removeEventListener("keydown", onKey)
      room?.style.removeProperty("--preview-width")
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    })
  })

  useBrowserTask$(({ track }) => {
    const share = `${track(() => width.value)}%`
    track(() => panel.value)?.parentElement?.style.setProperty("--preview-width", share)
  })

  useBrowserTask$(({ track, cleanup }) => {
    const handle = track(() => edge.value)
    const element = panel.value
    const room = element?.parentElement
    if (handle === undefined || element === undefined || room == null) return
    const onMove = (event: PointerEvent) => {
      const { left, right, width: whole } = room.getBoundingClientRect()
      const isMirrored = getComputedStyle(room).direction === "rtl"
      width.value = bounded((100 * (isMirrored ? event.clientX - left : right - event.clientX)) / whole)
    }
    const onPress = (event: PointerEvent) => {
      handle.setPointerCapture(event.pointerId)
      // The frame would swallow the pointer.
      element.dataset.resizing = ""
      handle.addEventListener("pointermove", onMove)
    }
    const onRelease = () => {
      handle.removeEventListener("pointermove", onMove)
      if (element.dataset.resizing === undefined) return
      delete element.dataset.resizing
      keepWidth(app.client.storage, width.value)
    }
    handle.addEventListener("pointerdown", onPress)
    handle.addEventListener("lostpointercapture", onRelease)
    cleanup(() => {
      onRelease()
      handle.removeEventListener("pointerdown", onPress)
      handle.removeEventListener("lostpointercapture", onRelease)
    })
  })

  const resize = $((event: KeyboardEvent) => {
    const isMirrored = event.target instanceof Element && getComputedStyle(event.target).direction === "rtl"
    const towardsStart = isMirrored ? "ArrowRight" : "ArrowLeft"
    const towardsEnd = isMirrored ? "ArrowLeft" : "ArrowRight"
    const step = event.key === towardsStart ? KEY_STEP : event.key === towardsEnd ? -KEY_STEP : 0
    if (step === 0) return
    width.value = bounded(width.value + step)
    keepWidth(app.client.storage, width.value)
  })

  if (previewed.value === null) return null
  const { code, kind } = previewed.value
  if (isNarrow)
    return (
      <Dialog title={say("Preview")} size="large" onClose$={close}>
        <div class="flex-column preview-whole">
          <PreviewBody previewed={{ code, kind }} />
        </div>
      </Dialog>
    )
  return (
    <section class="preview" ref={panel} tabIndex={-1} aria-label={say("Preview")}>
      <div
        class="preview-edge"
        ref={edge}
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={say("Width of the preview")}
        aria-valuenow={width.value}
        aria-valuemin={WIDTHS.least}
        aria-valuemax={WIDTHS.most}
        onKeyDown$={resize}
      />
      <PreviewBody previewed={{ code, kind }}>
        <button
          type="button"
          class="icon-button"
          aria-label={say("Close preview")}
          title={say("Close preview")}
          onClick$={close}
        >
          <Icon name="x" />
        </button>
      </PreviewBody>
    </section>
  )
})
