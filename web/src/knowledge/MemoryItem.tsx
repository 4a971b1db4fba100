import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { type AppServices, useServices } from "../base/AppContext.ts"
import { focusWhenThere } from "../base/focusWhenThere.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import type { MemoryStore } from "../core/knowledge/MemoryStore.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { growWithText } from "../ui/growWithText.ts"
import { Icon } from "../ui/Icon.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"

/** Deletes a section's bullet and offers to bring it back; whether it worked. */
const deleteMemory = async (app: AppServices, store: MemoryStore, section: string, text: string): Promise<boolean> => {
  const result = await store.removeItem(section, text)
  if (!result.ok) {
    app.notices.show("error", result.message)
    return false
  }
  app.notices.offerUndo(say("Memory deleted."), async () => {
    const undone = await result.value()
    if (!undone.ok) app.notices.show("error", undone.message)
  })
  return true
}

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

interface EditMemoryItemProps {
  readonly section: string
  /** The bullet's text when editing began. */
  readonly original: string
  /** Someone has changed or deleted that bullet since. */
  readonly isLost: boolean
}

/** A bullet being edited in place: Enter saves, Escape cancels unless something was typed. */
export const EditMemoryItem = component$<EditMemoryItemProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const field = useSignal<HTMLTextAreaElement>()
  const saving = useSignal(false)
  const problem = useSignal<string | null>(null)
  const actions = useConstant(() => ({ save: async () => {}, cancel: () => {} }))

  useBrowserTask$(({ cleanup }) => {
    const area = field.value
    if (area === undefined) return
    const { section, original } = props
    area.value = store.typed({ section, original })
    growWithText(area)
    if (area.value === original) {
      area.focus()
      area.setSelectionRange(area.value.length, area.value.length)
    }
    actions.save = async () => {
      const text = area.value.trim()
      if (saving.value || text === "") return
      if (text === original && !props.isLost) return store.endEdit(section, original)
      saving.value = true
      problem.value = null
      const result = props.isLost
        ? await store.add({ text, section, category: "other", importance: 0.7 })
        : await store.editItem(section, original, text)
      saving.value = false
      if (result.ok) store.endEdit(section, original)
      else problem.value = result.message
    }
    actions.cancel = () => store.endEdit(section, original)
    const onInput = () => {
      store.keepEdit(section, original, area.value)
      growWithText(area)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault()
        void actions.save()
      }
      if (event.key === "Escape" && area.value === original) {
        event.preventDefault()
        const row = area.closest("li")
        if (row !== null) focusWhenThere(row, "[data-edit-item]")
        actions.cancel()
      }
    }
    area.addEventListener("input", onInput)
    area.addEventListener("keydown", onKey)
    cleanup(() => {
      area.removeEventListener("input", onInput)
      area.removeEventListener("keydown", onKey)
    })
  })

  const save = $(() => actions.save())
  const remove = $(async () => {
    const { section, original } = props
    const text = store.typed({ section, original })
    // First, so that the item does not look deleted by someone else.
    store.endEdit(section, original)
    if (await deleteMemory(app, store, section, original)) return
    store.keepEdit(section, original, text)
    store.startEdit(section, original)
  })
  return (
    <form class="memory-edit" preventdefault:submit onSubmit$={save} aria-label={say("Edit memory")}>
      {props.isLost && (
        <p class="memory-hint is-warning" role="alert">
          {say("Someone changed or deleted this memory while you were editing it. It was: “{original}”", {
            original: props.original
          })}
        </p>
      )}
      <textarea
        ref={field}
        class="field"
        rows={2}
        maxLength={10_000}
        aria-label={say("Memory")}
        aria-invalid={problem.value === null ? undefined : "true"}
      />
      {problem.value !== null && (
        <p class="memory-hint is-warning" role="alert">
          {problem.value}
        </p>
      )}
      <div class="wrap gap-2 memory-edit-foot">
        {!props.isLost && (
          <button type="button" class="button is-small memory-delete" disabled={saving.value} onClick$={remove}>
            {say("Delete")}
          </button>
        )}
        <button type="button" class="button is-small" onClick$={() => actions.cancel()}>
          {props.isLost ? say("Discard") : say("Cancel")}
        </button>
        <button type="submit" class="button is-small is-primary" disabled={saving.value}>
          {props.isLost ? say("Save as new") : say("Save")}
        </button>
      </div>
    </form>
  )
})
