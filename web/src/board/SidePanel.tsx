import { component$, type QRL, Slot, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"

interface SidePanelProps {
  readonly title: string
  /** The panel shows the title itself, to be edited there. */
  readonly titleInBody?: boolean
  /** Called by the close button and by Escape. */
  readonly onClose$: QRL<() => void>
}

/** A panel beside the board, or over it on a phone; takes the focus when it opens. */
export const SidePanel = component$<SidePanelProps>((props) => {
  const panel = useSignal<HTMLElement>()
  useBrowserTask$(({ cleanup }) => {
    const element = panel.value
    if (element === undefined) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return
      event.preventDefault()
      event.stopPropagation()
      void props.onClose$()
    }
    element.addEventListener("keydown", onKey)
    element.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true })
    cleanup(() => element.removeEventListener("keydown", onKey))
  })
  return (
    <section ref={panel} class="flex-column no-shrink side-panel" aria-labelledby="side-panel-title">
      <header class="row gap-2 no-shrink border-bottom side-panel-head">
        <h2 id="side-panel-title" class={props.titleInBody === true ? "visually-hidden" : undefined} tabIndex={-1}>
          {props.title}
        </h2>
        <Slot name="tools" />
        <button
          type="button"
          class="icon-button"
          aria-label={say("Close")}
          title={say("Close")}
          data-close
          onClick$={() => props.onClose$()}
        >
          <Icon name="x" />
        </button>
      </header>
      <Slot />
    </section>
  )
})
