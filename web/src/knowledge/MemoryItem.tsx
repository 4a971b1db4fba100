import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useCommands } from "../base/useCommands.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { deleteMemory } from "./deleteMemory.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface MemoryItemProps {
  /** Null if the bullet can't be edited in place. */
  readonly section: string | null
  readonly text: string
}

/** One memory bullet with its two actions; where nothing points at them, a tap on it opens its editor, which has both. */
export const MemoryItem = component$<MemoryItemProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const confirming = useSignal(false)
  const busy = useSignal(false)
  const isTouch = useConstant(() => window.matchMedia("(hover: none)").matches)

  const remove = $(async () => {
    const { section, text } = props
    if (section === null) {
      confirming.value = true
      return
    }
    busy.value = true
    await deleteMemory(app, store, section, text)
    busy.value = false
  })

  const edit = $(() => {
    if (props.section !== null) store.startEdit(props.section, props.text)
  })

  useCommands(() => {
    const { section, text } = props
    const name = text.slice(0, 80)
    const group = say("Memories")
    return [
      {
        id: `memory.edit ${section} ${text}`,
        label: say("Edit: {text}", { text: name }),
        group,
        when: () => section !== null,
        run: edit
      },
      { id: `memory.delete ${section} ${text}`, label: say("Delete: {text}", { text: name }), group, run: remove }
    ]
  })

  const name = props.text.slice(0, 80)
  const canEdit = props.section !== null
  const isTapped = isTouch && canEdit
  return (
    <>
      {/* For keys and screen readers; a finger meets the text, whose links work and whose words can be selected. */}
      {isTapped && (
        <button
          type="button"
          class="memory-open"
          aria-label={say("Edit: {text}", { text: name })}
          data-edit-item
          onClick$={edit}
        />
      )}
      <div
        class={["memory-text", isTapped && "is-tapped"]}
        onClick$={(event) => {
          const isOwn = event.target instanceof Element && event.target.closest("a, button, summary, input") !== null
          if (isTapped && !isOwn && getSelection()?.isCollapsed !== false) return edit()
        }}
      >
        <MarkdownText text={props.text} streaming={false} />
      </div>
      {!isTouch && canEdit && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("Edit: {text}", { text: name })}
          title={say("Edit")}
          data-edit-item
          onClick$={edit}
        >
          <Icon name="pencil" />
        </button>
      )}
      {!isTapped && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("Delete: {text}", { text: name })}
          title={say("Delete")}
          disabled={busy.value}
          onClick$={remove}
        >
          <Icon name="trash" />
        </button>
      )}
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
