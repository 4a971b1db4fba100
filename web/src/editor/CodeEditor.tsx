import { component$, useId, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { TextDocument } from "../core/knowledge/TextDocument.ts"
import { LoadingState } from "../ui/LoadingState.tsx"
import "./editor.css"
import { say } from "../core/language/say.ts"

interface CodeEditorProps {
  /** Never changes during the editor's life, so give the editor a key. */
  readonly document: TextDocument
  readonly fileName: string
  readonly label: string
  readonly autofocus?: boolean
}

/** An editor for one text. Its code is a separate chunk that loads with the first editor. */
export const CodeEditor = component$<CodeEditorProps>((props) => {
  const place = useSignal<HTMLElement>()
  const status = useSignal<"loading" | "ready" | "failed">("loading")
  const hint = useId()

  useBrowserTask$(({ cleanup }) => {
    const element = place.value
    if (element === undefined) return
    const { document, fileName, label, autofocus } = props
    let isGone = false
    let leave = () => {}
    cleanup(() => {
      isGone = true
      leave()
    })
    import("./createEditor.ts").then(
      ({ createEditor }) => {
        if (isGone) return
        const editor = createEditor(element, document, {
          fileName,
          label,
          describedBy: hint,
          onSave: () => void document.save()
        })
        leave = editor.leave
        status.value = "ready"
        if (autofocus === true) editor.focus()
      },
      () => {
        status.value = "failed"
      }
    )
  })

  return (
    <div class="stack grow editor" data-editor={status.value}>
      <p id={hint} class="visually-hidden">
        {say("Tab indents. To leave the editor with the keyboard, press Escape, then Tab.")}
      </p>
      {status.value === "loading" && <LoadingState label={say("Loading the editor…")} />}
      {status.value === "failed" && (
        <p class="editor-note" role="alert">
          {say("Couldn't load the editor. Reload the page: your text is kept.")}
        </p>
      )}
      <div class="editor-place" ref={place} />
    </div>
  )
})
