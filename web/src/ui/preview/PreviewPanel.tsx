import { $, component$, Slot, useConstant, useSignal } from "@builder.io/qwik"
import download from "../../../icons/download.svg?shapes"
import { useServices } from "../../base/AppContext.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useReadable } from "../../base/useReadable.ts"
import { below } from "../../core/common/basePath.ts"
import { say } from "../../core/language/say.ts"
import type { KeyValueStorage } from "../../core/link/Environment.ts"
import { copyText } from "../copyText.ts"
import { Dialog } from "../Dialog.tsx"
import { Icon, LineIcon } from "../Icon.tsx"
import { IconButton } from "../IconButton.tsx"
import { saveFile } from "../saveFile.ts"
import { PreviewFrame } from "./PreviewFrame.tsx"
import { type Previewed, previewRequest } from "./previewRequest.ts"
import "./preview.css"

/**
 * The address that gives a document back in an origin of its own, where scripts reach nothing of the console. They can
 * load nothing; direct connections (WebRTC) are stopped by newer Chromiums only.
 */
const ADDRESS = below("/api/preview")

/** Opens a document in a tab of its own, in which its scripts run. */
const runPreview = ({ code }: Previewed): void => {
  const form = document.createElement("form")
  form.method = "post"
  form.action = ADDRESS
  form.target = "_blank"
  form.rel = "noopener"
  form.hidden = true
  const field = document.createElement("textarea")
  field.name = "html"
  field.value = code
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}

/** A document as it looks, or as its code, and what can be done with it. */
const PreviewBody = component$<{ readonly previewed: Previewed }>((props) => {
  const asCode = useSignal(false)
  const hasScripts = useSignal(false)
  const copied = useSignal(false)
  const turn = useSignal(0)

  return (
    <>
      <div class="row wrap gap-1 preview-bar">
        <div class="segmented" role="group" aria-label={say("Show")}>
          <button
            type="button"
            aria-pressed={!asCode.value}
            onClick$={() => {
              asCode.value = false
            }}
          >
            {say("Preview")}
          </button>
          <button
            type="button"
            aria-pressed={asCode.value}
            onClick$={() => {
              asCode.value = true
            }}
          >
            {say("Code")}
          </button>
        </div>
        <IconButton
          icon="refresh"
          label={say("Reload")}
          onClick$={() => {
            turn.value++
          }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={copied.value ? say("Copied") : say("Copy code")}
          title={copied.value ? say("Copied") : say("Copy code")}
          onClick$={async () => {
            copied.value = await copyText(props.previewed.code)
            setTimeout(() => {
              copied.value = false
            }, 2000)
          }}
        >
          <Icon name={copied.value ? "check" : "copy"} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={say("Save as file")}
          title={say("Save as file")}
          onClick$={() => {
            const { code, kind } = props.previewed
            saveFile(kind === "svg" ? "drawing.svg" : "page.html", code, kind === "svg" ? "image/svg+xml" : "text/html")
          }}
        >
          <LineIcon shapes={download} />
        </button>
        <Slot />
      </div>
      {hasScripts.value && (
        <div class="row wrap gap-2 soft preview-note">
          <p>
            <span>{say("Scripts don't run in this preview.")}</span>{" "}
            <span>
              {say(
                "In a new tab, they reach nothing of the console and load nothing. Only some browsers also stop direct connections (WebRTC)."
              )}
            </span>
          </p>
          <button type="button" class="button is-small" onClick$={() => runPreview(props.previewed)}>
            {say("Run in a new tab")}
          </button>
        </div>
      )}
      <PreviewFrame
        previewed={props.previewed}
        turn={turn.value}
        isHidden={asCode.value}
        onScripts$={(found) => {
          hasScripts.value = found
        }}
      />
      {asCode.value && (
        <pre class="preview-code" tabIndex={0}>
          <code>{props.previewed.code}</code>
        </pre>
      )}
    </>
  )
})

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
        <IconButton icon="x" label={say("Close preview")} onClick$={close} />
      </PreviewBody>
    </section>
  )
})
