import { $, component$, useSignal } from "@builder.io/qwik"
import { afterFrames } from "../../base/afterFrames.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import type { UserItem } from "../../core/conversation/chatTypes.ts"
import { say } from "../../core/language/say.ts"
import { Icon } from "../../ui/Icon.tsx"
import { dragInQueue } from "./dragInQueue.ts"
import type { QueueActions } from "./QueueActions.ts"

/** Moves a waiting message: by dragging it, or with the arrow keys. */
export const QueueHandle = component$<{ readonly item: UserItem; readonly actions: QueueActions }>((props) => {
  const handle = useSignal<HTMLButtonElement>()
  const { actions, item } = props
  const all = actions.held()
  const at = all.findIndex(({ key }) => key === item.key)

  /** Moves it to where another one is, and gives the focus back that moving takes away. */
  const move = $(async (to: UserItem | undefined) => {
    if (!(await props.actions.move(props.item, to))) return
    const { key } = props.item
    afterFrames(2, () => document.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"] .queue-handle`)?.focus())
  })

  useBrowserTask$(({ cleanup }) => {
    const button = handle.value
    if (button === undefined) return
    const onKey = (event: KeyboardEvent) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
      if (step === 0) return
      event.preventDefault()
      const held = props.actions.held()
      move(held[held.findIndex(({ key }) => key === props.item.key) + step])
    }
    button.addEventListener("keydown", onKey)
    const stop = dragInQueue(button, (key) => move(props.actions.held().find((other) => other.key === key)))
    cleanup(() => {
      button.removeEventListener("keydown", onKey)
      stop()
    })
  })

  return (
    <button
      ref={handle}
      type="button"
      class="icon-button queue-handle"
      aria-label={say("Move this message: {place} of {count} in the queue", { place: at + 1, count: all.length })}
      title={say("Drag to move, or use the arrow keys")}
      aria-keyshortcuts="ArrowUp ArrowDown"
    >
      <Icon name="menu" />
    </button>
  )
})
