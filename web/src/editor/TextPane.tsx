import { component$, Slot, useSignal } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import type { TextDocument } from "../core/knowledge/TextDocument.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { CodeEditor } from "./CodeEditor.tsx"
import { ConflictDialog } from "./ConflictDialog.tsx"
import { languageOf } from "./languageOf.ts"
import { SaveBar } from "./SaveBar.tsx"

interface TextPaneProps {
  /** Never changes during the pane's life, so give the pane a key. */
  readonly document: TextDocument
  /** The text's name; its extension determines the language. */
  readonly name: string
  readonly label: string
  /** Shown when nothing is saved, with a button to start a text. */
  readonly missing?: string
  readonly autofocus?: boolean
}

/**
 * A text with everything around it: its editor or preview, its state, and resolving conflicts. What else can be done
 * with it goes into the slot, at the end of its head.
 */
export const TextPane = component$<TextPaneProps>((props) => {
  const state = useReadable(props.document.state)
  const preview = useSignal(false)
  const { status, message, asking } = state.value
  const document = props.document
  const isMarkdown = languageOf(props.name) === "markdown"
  const text = preview.value && state.value.replaced >= 0 ? document.text() : ""
  return (
    <div class="text-pane" data-text={status}>
      {status === "loading" && <LoadingState label={say("Loading…")} />}
      {status === "failed" && (
        <ErrorState title={say("Couldn't load this")} text={message ?? ""} onRetry$={() => document.load()} />
      )}
      {status === "missing" && (
        <EmptyState
          icon="file"
          title={say("Nothing here yet")}
          text={props.missing ?? say("It was deleted, or never created.")}
        >
          <button type="button" class="button is-primary" onClick$={() => document.begin()}>
            {say("Create")}
          </button>
        </EmptyState>
      )}
      {status === "ready" && (
        <>
          <div class="text-head">
            {isMarkdown && (
              <Segmented
                label={say("View")}
                value={preview.value ? "preview" : "edit"}
                options={[
                  { value: "edit", label: say("Edit") },
                  { value: "preview", label: say("Preview") }
                ]}
                onChange$={(view) => {
                  if (view === "preview") document.keep()
                  preview.value = view === "preview"
                }}
              />
            )}
            <SaveBar document={document} name={props.name} />
            <Slot />
          </div>
          {preview.value ? (
            <div
              class="text-preview"
              tabIndex={0}
              role="region"
              aria-label={say("Preview of {name}", { name: props.name })}
            >
              <MarkdownText text={text} streaming={false} />
            </div>
          ) : (
            <CodeEditor
              document={document}
              fileName={props.name}
              label={props.label}
              autofocus={props.autofocus === true}
            />
          )}
        </>
      )}
      {asking && <ConflictDialog document={document} name={props.name} onClose$={() => document.stopAsking()} />}
    </div>
  )
})
