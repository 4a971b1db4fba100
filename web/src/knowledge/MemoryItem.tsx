import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { MenuItem } from "../ui/Menu.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
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
  /** Without a mouse to show them, two buttons at every line would be louder than the lines. */
  const isTouch = useConstant(() => window.matchMedia("(hover: none)").matches)

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

  const edit = $(() => {
    if (props.section !== null) store.startEdit(props.section, props.text)
  })

  const name = props.text.slice(0, 80)
  const menu: ReadonlyArray<MenuItem> = [
    ...(props.section === null ? [] : [{ label: say("Edit"), icon: "pencil" as const, run: () => edit() }]),
    { label: say("Delete"), icon: "trash", danger: true, disabled: busy.value, run: () => remove() }
  ]
  return (
    <>
      <div class="memory-text">
        <MarkdownText text={props.text} streaming={false} />
      </div>
      {isTouch && <MenuButton label={say("Actions for {name}", { name })} items={menu} />}
      {!isTouch && props.section !== null && (
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
      {!isTouch && (
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
