import { component$, type QRL, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { TextPane } from "../editor/TextPane.tsx"

interface SectionEditorProps {
  readonly title: string
  /** Of a day's section; null for the long-term memory. */
  readonly date: string | null
  readonly onClose$: QRL<() => void>
}

/** A section's whole content as one text, with its subsections and everything that is no bullet. */
export const SectionEditor = component$<SectionEditorProps>((props) => {
  const app = useServices()
  const store = useConstant(() => knowledgeOf(app.console).memory)
  const document = useConstant(() => store.document(props.title, props.date))
  const state = useReadable(document.state)

  useVisibleTask$(({ cleanup }) => cleanup(store.watchDocument(document)), { strategy: "document-ready" })

  return (
    <div class="section-editor">
      <TextPane document={document} name={`${props.title}.md`} label={`Text of the section ${props.title}`} />
      <button type="button" class="button is-small" onClick$={() => props.onClose$()}>
        {state.value.dirty ? "Close and keep the draft" : "Close"}
      </button>
    </div>
  )
})
