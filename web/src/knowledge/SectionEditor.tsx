import { component$, type QRL, useConstant } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { TextPane } from "../editor/TextPane.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"

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
