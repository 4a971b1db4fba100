import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"

interface MemoryItemProps {
  /** Null if the bullet can't be edited in place. */
  readonly section: string | null
  readonly text: string
}

/** One memory bullet with its two actions. */
export const MemoryItem = component$<MemoryItemProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
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
    app.notices.offerUndo(say("Memory deleted."), async () => {
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
          aria-label={say("Edit: {text}", { text: props.text.slice(0, 80) })}
          title={say("Edit")}
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
        aria-label={say("Delete: {text}", { text: props.text.slice(0, 80) })}
        title={say("Delete")}
        disabled={busy.value}
        onClick$={remove}
      >
        <Icon name="trash" />
      </button>
      {confirming.value && (
        <ConfirmDialog
          title={say("Delete this memory?")}
          confirmLabel={say("Delete")}
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
          <p>{say("Every bullet with exactly this text will be deleted. You can't undo this.")}</p>
        </ConfirmDialog>
      )}
    </>
  )
})
