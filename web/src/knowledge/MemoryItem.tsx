import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { MarkdownText } from "../chat/MarkdownText.tsx"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"

interface MemoryItemProps {
  /** Null where the bullet cannot be changed in its place. */
  readonly section: string | null
  readonly text: string
}

/** One bullet of the memory, with its two actions. */
export const MemoryItem = component$<MemoryItemProps>((props) => {
  const app = useServices()
  const store = useConstant(() => knowledgeOf(app.console).memory)
  const confirming = useSignal(false)
  const busy = useSignal(false)

  const remove = $(async () => {
    const { section, text } = props
    if (section === null) {
      confirming.value = true
      return
    }
    busy.value = true
    const result = await store.removeItem(section, text)
    busy.value = false
    if (!result.ok) {
      app.notices.show("error", result.message)
      return
    }
    app.notices.offerUndo("The memory was deleted.", async () => {
      const undone = await result.value()
      if (!undone.ok) app.notices.show("error", undone.message)
    })
  })

  return (
    <>
      <div class="memory-text">
        <MarkdownText text={props.text} streaming={false} />
      </div>
      {props.section !== null && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Edit: ${props.text.slice(0, 80)}`}
          title="Edit"
          data-edit-item
          onClick$={() => {
            if (props.section !== null) store.startEdit(props.section, props.text)
          }}
        >
          <Icon name="pencil" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={`Delete: ${props.text.slice(0, 80)}`}
        title="Delete"
        disabled={busy.value}
        onClick$={remove}
      >
        <Icon name="trash" />
      </button>
      {confirming.value && (
        <ConfirmDialog
          title="Delete this memory?"
          confirmLabel="Delete"
          danger
          onConfirm$={async () => {
            const result = await store.removeEverywhere(props.text)
            confirming.value = false
            if (!result.ok) app.notices.show("error", result.message)
          }}
          onCancel$={() => {
            confirming.value = false
          }}
        >
          <p>Every bullet with exactly this text is deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
})
