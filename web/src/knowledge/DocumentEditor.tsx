import { component$, useConstant, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { say } from "../core/language/say.ts"
import { TextPane, type TextView } from "../editor/TextPane.tsx"
import { documentAbout } from "./documentAbout.ts"
import { placePath } from "./filePath.ts"
import { followSaveKey } from "./followSaveKey.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface DocumentEditorProps {
  readonly documentKey: string
  readonly filename: string
}

/**
 * One of the six documents, open to be read. Give it the document's key: the document never changes during its life.
 */
export const DocumentEditor = component$<DocumentEditorProps>((props) => {
  const knowledge = useKnowledge()
  const document = useConstant(() => knowledge.documents.document(props.documentKey))
  const view = useSignal<TextView | null>(null)
  const byKey = useSignal(false)

  useBrowserTask$(({ cleanup }) => {
    void document.load()
    cleanup(followSaveKey(() => document))
  })

  useCommands(() => [
    {
      id: "documents.edit",
      label: say("Edit {name}", { name: props.filename }),
      group: say("Documents"),
      keys: "e",
      when: () => document.state.get().status === "ready",
      run: () => {
        byKey.value = true
        view.value = "edit"
      }
    }
  ])

  return (
    <TextPane
      document={document}
      name={props.filename}
      label={say("Text of {filename}", { filename: props.filename })}
      missing={say("{filename} doesn't exist yet. The agent works without it.", { filename: props.filename })}
      heading={{ title: props.filename, about: documentAbout(props.documentKey) }}
      back={{ href: placePath(knowledge.agent, "documents"), label: say("All documents") }}
      view={view}
      autofocus={byKey.value}
    />
  )
})
