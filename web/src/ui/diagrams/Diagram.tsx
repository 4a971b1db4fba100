import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { wholeNumber } from "../../core/common/numberText.ts"
import { say } from "../../core/language/say.ts"
import { copyText } from "../copyText.ts"
import { Dialog } from "../Dialog.tsx"
import { Icon } from "../Icon.tsx"
import type { DrawnDiagram } from "./drawDiagram.ts"
import "./diagram.css"

const SMALLEST = 0.25
const LARGEST = 4
const STEP = 1.25

interface DiagramDialogProps {
  readonly picture: DrawnDiagram
  readonly onClose$: QRL<() => void>
}

/** A diagram in all its size; it scrolls where there's more of it than room. */
const DiagramDialog = component$<DiagramDialogProps>((props) => {
  const zoom = useSignal(1)
  const { picture, onClose$ } = props
  const { src, name, width, height } = picture
  const scale = zoom.value
  return (
    <Dialog title={say("Diagram")} size="large" onClose$={onClose$}>
      <div class="diagram-large" role="group" aria-label={say("Diagram")} tabIndex={0} data-autofocus>
        <img src={src} alt={name} width={Math.round(width * scale)} height={Math.round(height * scale)} />
      </div>
      <div q:slot="foot" class="row gap-2 tabular">
        <button
          type="button"
          class="icon-button"
          aria-label={say("Zoom out")}
          title={say("Zoom out")}
          disabled={scale <= SMALLEST}
          onClick$={() => {
            zoom.value = Math.max(SMALLEST, zoom.value / STEP)
          }}
        >
          <Icon name="minus" />
        </button>
        <span role="status">{`${wholeNumber(scale * 100)} %`}</span>
        <button
          type="button"
          class="icon-button"
          aria-label={say("Zoom in")}
          title={say("Zoom in")}
          disabled={scale >= LARGEST}
          onClick$={() => {
            zoom.value = Math.min(LARGEST, zoom.value * STEP)
          }}
        >
          <Icon name="plus" />
        </button>
        <a class="button" href={src} download="diagram.svg">
          {say("Save")}
        </a>
      </div>
    </Dialog>
  )
})

interface DiagramProps {
  readonly source: string
  /** Its code, shown until it's drawn. */
  readonly html: string
}

const DARK = "(prefers-color-scheme: dark)"

/** A diagram in a text: its picture, or its code on request and where the code has a mistake. */
export const Diagram = component$<DiagramProps>((props) => {
  const app = useServices()
  const drawn = useSignal<DrawnDiagram | null>(null)
  const isWrong = useSignal(false)
  const asCode = useSignal(false)
  const isLarge = useSignal(false)
  const copied = useSignal(false)

  useBrowserTask$(({ track, cleanup }) => {
    const source = track(() => props.source)
    let turn = 0
    const draw = async () => {
      const mine = ++turn
      const load = await import("./drawDiagram.ts").catch(() => null)
      const picture = load === null ? null : await load.drawDiagram(source)
      if (mine !== turn) return
      if (picture !== null || load !== null) drawn.value = picture
      isWrong.value = load !== null && picture === null
    }
    const device = matchMedia(DARK)
    const redraw = () => void draw()
    // The styles of a new theme are there one frame later.
    const stop = app.client.settings.state.subscribe(() => requestAnimationFrame(redraw))
    device.addEventListener("change", redraw)
    redraw()
    cleanup(() => {
      turn = -1
      stop()
      device.removeEventListener("change", redraw)
    })
  })

  const close = $(() => {
    isLarge.value = false
  })
  const picture = drawn.value
  if (picture === null)
    return (
      <div class="stack gap-2 can-shrink">
        {isWrong.value && (
          <p class="soft small diagram-note">{say("This diagram has a mistake, so here is its code.")}</p>
        )}
        <div dangerouslySetInnerHTML={props.html} />
      </div>
    )
  return (
    <figure class="code-block diagram">
      <div class="code-bar">
        <span class="code-language">{say("Diagram")}</span>
        <button
          type="button"
          class="code-copy"
          aria-pressed={asCode.value}
          onClick$={() => {
            asCode.value = !asCode.value
          }}
        >
          {say("Code")}
        </button>
        <button
          type="button"
          class="code-copy"
          onClick$={() => {
            isLarge.value = true
          }}
        >
          {say("Enlarge")}
        </button>
        <button
          type="button"
          class="code-copy"
          onClick$={async () => {
            copied.value = await copyText(props.source)
            setTimeout(() => {
              copied.value = false
            }, 2000)
          }}
        >
          {copied.value ? say("Copied") : say("Copy")}
        </button>
      </div>
      {asCode.value ? (
        <pre tabIndex={0}>
          <code class="hljs">{props.source}</code>
        </pre>
      ) : (
        <div class="diagram-view" role="group" aria-label={say("Diagram")} tabIndex={0}>
          <img
            src={picture.src}
            alt={picture.name}
            width={picture.width}
            height={picture.height}
            style={`--natural:${picture.width}px`}
          />
        </div>
      )}
      {isLarge.value && <DiagramDialog picture={picture} onClose$={close} />}
    </figure>
  )
})
