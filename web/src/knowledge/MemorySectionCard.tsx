import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ItemEdit } from "../core/knowledge/MemoryStore.ts"
import type { MemorySection } from "../core/knowledge/memoryView.ts"
import { say } from "../core/language/say.ts"
import { TextPane } from "../editor/TextPane.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import type { MenuItem } from "../ui/Menu.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"
import { EditMemoryItem, MemoryItem } from "./MemoryItem.tsx"

interface SectionEditorProps {
  readonly title: string
  /** The date of a day's section; null for the long-term memory. */
  readonly date: string | null
  readonly onClose$: QRL<() => void>
}

/** A section's whole content as one text, including subsections and everything that isn't a bullet. */
export const SectionEditor = component$<SectionEditorProps>((props) => {
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const document = useConstant(() => store.document(props.title, props.date))
  const state = useReadable(document.state)

  useBrowserTask$(({ cleanup }) => cleanup(store.watchDocument(document)))

  return (
    <div class="flex-column border-top section-editor">
      <TextPane
        document={document}
        name={`${props.title}.md`}
        label={say("Text of the section {title}", { title: props.title })}
      />
      <button type="button" class="button is-small" onClick$={() => props.onClose$()}>
        {state.value.dirty ? say("Close and keep draft") : say("Close")}
      </button>
    </div>
  )
})

interface MemorySectionCardProps {
  readonly section: MemorySection
  /** Bullets of this section being edited. */
  readonly edits: ReadonlyArray<ItemEdit>
  readonly onAdd$: QRL<(section: string) => void>
}

/** One section of the long-term memory with its bullets, each editable in place. */
export const MemorySectionCard = component$<MemorySectionCardProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const title = props.section.title
  const asText = useSignal(() => title !== null && store.isUnsaved(title, null))
  const confirming = useSignal(false)

  const remove = $(async () => {
    if (title === null) return
    const result = await store.removeSection(title, null)
    confirming.value = false
    if (!result.ok) app.notices.show("error", result.message)
  })

  const { items, isRepeated } = props.section
  const canEdit = title !== null && !isRepeated
  const lost = props.edits.filter(({ original }) => !items.includes(original))
  const menu: ReadonlyArray<MenuItem> = [
    { label: say("Add a memory here"), icon: "plus", run: () => props.onAdd$(title ?? "") },
    {
      label: say("Edit as text"),
      icon: "pencil",
      run: () => {
        asText.value = true
      }
    },
    {
      label: say("Delete section"),
      icon: "trash",
      danger: true,
      run: () => {
        confirming.value = true
      }
    }
  ]
  useCommands(() => {
    if (title === null || props.section.isRepeated) return []
    const group = say("Memory")
    return [
      {
        id: `memory.addTo ${title}`,
        label: say("Add a memory to {title}", { title }),
        group,
        run: () => props.onAdd$(title)
      },
      {
        id: `memory.text ${title}`,
        label: say("Edit {title} as text", { title }),
        group,
        run: () => {
          asText.value = true
        }
      },
      {
        id: `memory.deleteSection ${title}`,
        label: say("Delete the section {title}", { title }),
        group,
        run: () => {
          confirming.value = true
        }
      }
    ]
  })
  return (
    <section class="can-shrink surface memory-card" aria-label={title ?? say("No section")} data-section={title ?? ""}>
      <header class="row gap-3 memory-card-head">
        <h3>{title ?? say("No section")}</h3>
        <span class="soft small memory-count">{items.length}</span>
        {canEdit && <MenuButton label={say("Actions for {title}", { title })} items={menu} />}
      </header>
      {isRepeated && (
        <p class="memory-hint">{say("Another section has the same name. To change this one, edit the file.")}</p>
      )}
      {asText.value && title !== null ? (
        <SectionEditor
          title={title}
          date={null}
          onClose$={() => {
            asText.value = false
          }}
        />
      ) : (
        <ul class="plain-list memory-items">
          {items.map((text, index) => {
            const twin = items.slice(0, index).filter((other) => other === text).length
            const isEdited = props.edits.some(({ original }) => original === text)
            return (
              <li key={`${twin}:${text}`} class="memory-item">
                {isEdited && title !== null ? (
                  <EditMemoryItem section={title} original={text} isLost={false} />
                ) : (
                  <MemoryItem section={canEdit ? title : null} text={text} />
                )}
              </li>
            )
          })}
          {title !== null &&
            lost.map(({ original }) => (
              <li key={`lost:${original}`} class="memory-item">
                <EditMemoryItem section={title} original={original} isLost />
              </li>
            ))}
        </ul>
      )}
      {!asText.value && items.length === 0 && lost.length === 0 && (
        <p class="memory-hint">{say("No bullet points here. Choose “Edit as text” to see the whole section.")}</p>
      )}
      {confirming.value && (
        <ConfirmDialog
          title={say("Delete “{title}”?", { title: title ?? "" })}
          confirmLabel={say("Delete section")}
          danger
          onConfirm$={remove}
          onCancel$={() => {
            confirming.value = false
          }}
        >
          <p>{say("The section and everything in it, including subsections, will be deleted. You can't undo this.")}</p>
        </ConfirmDialog>
      )}
    </section>
  )
})
