import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import type { ItemEdit } from "../core/knowledge/MemoryStore.ts"
import type { MemorySection } from "../core/knowledge/memoryView.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { MenuButton, type MenuItem } from "../ui/MenuButton.tsx"
import { EditMemoryItem } from "./EditMemoryItem.tsx"
import { MemoryItem } from "./MemoryItem.tsx"
import { SectionEditor } from "./SectionEditor.tsx"

interface MemorySectionCardProps {
  readonly section: MemorySection
  /** Bullets of this section that are being rewritten. */
  readonly edits: ReadonlyArray<ItemEdit>
  readonly onAdd$: QRL<(section: string) => void>
}

/** One section of the long-term memory with its bullets, each of which can be rewritten where it stands. */
export const MemorySectionCard = component$<MemorySectionCardProps>((props) => {
  const app = useServices()
  const store = useConstant(() => knowledgeOf(app.console).memory)
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
    { label: "Add a memory here", icon: "plus", run: () => props.onAdd$(title ?? "") },
    {
      label: "Edit as text",
      icon: "pencil",
      run: () => {
        asText.value = true
      }
    },
    {
      label: "Delete the section",
      icon: "trash",
      danger: true,
      run: () => {
        confirming.value = true
      }
    }
  ]
  return (
    <section class="memory-card" aria-label={title ?? "Without a section"} data-section={title ?? ""}>
      <header class="memory-card-head">
        <h2>{title ?? "Without a section"}</h2>
        <span class="memory-count">{items.length}</span>
        {canEdit && <MenuButton label={`Actions for ${title}`} items={menu} />}
      </header>
      {isRepeated && (
        <p class="memory-hint">Another section has the same name. Edit the file itself to change this one.</p>
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
        <p class="memory-hint">No bullet points here. “Edit as text” shows the whole section.</p>
      )}
      {confirming.value && (
        <ConfirmDialog
          title={`Delete “${title}”?`}
          confirmLabel="Delete the section"
          danger
          onConfirm$={remove}
          onCancel$={() => {
            confirming.value = false
          }}
        >
          <p>The section goes with everything in it, its subsections too. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </section>
  )
})
