import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { say } from "../../core/language/say.ts"
import { previewDocument } from "./previewDocument.ts"
import type { Previewed } from "./previewRequest.ts"
import "./preview.css"

interface PreviewFrameProps {
  readonly previewed: Previewed
  /** Each new number draws it again. */
  readonly turn?: number
  readonly isHidden?: boolean
  /** Told whether the document does something that the frame doesn't show. */
  readonly onScripts$?: QRL<(hasScripts: boolean) => void>
}

/** A page or drawing in a frame without scripts and without anything from elsewhere. */
export const PreviewFrame = component$<PreviewFrameProps>((props) => {
  const place = useSignal<HTMLElement>()
  useBrowserTask$(({ track }) => {
    const target = track(() => place.value)
    const { code, kind } = track(() => props.previewed)
    track(() => props.turn)
    if (target === undefined) return
    const shown = previewDocument({ code, kind })
    const frame = document.createElement("iframe")
    frame.title = kind === "svg" ? say("Drawing") : say("Page")
    frame.sandbox.value = ""
    frame.referrerPolicy = "no-referrer"
    frame.srcdoc = shown.html
    void props.onScripts$?.(shown.hasScripts)
    target.replaceChildren(frame)
  })
  return <div class={["preview-frame", props.isHidden === true && "is-hidden"]} ref={place} />
})
