import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { wholeNumber } from "../../core/common/numberText.ts"
import { say } from "../../core/language/say.ts"
import { Dialog } from "../Dialog.tsx"
import { Icon } from "../Icon.tsx"
import type { DrawnDiagram } from "./drawDiagram.ts"

const SMALLEST = 0.25
const LARGEST = 4
const STEP = 1.25

interface DiagramDialogProps {
  readonly picture: DrawnDiagram
  readonly onClose$: QRL<() => void>
}

/** A diagram in all its size; it scrolls where there's more of it than room. */
export const DiagramDialog = component$<DiagramDialogProps>((props) => {
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
