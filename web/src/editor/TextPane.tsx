import { $, component$, type Signal, Slot, useSignal, useTask$ } from "@builder.io/qwik"
import { useCommands } from "../base/useCommands.ts"
import { NARROW, useMedia } from "../base/useMedia.ts"
import { useReadable } from "../base/useReadable.ts"
import type { TextDocument } from "../core/knowledge/TextDocument.ts"
import { say } from "../core/language/say.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { PreviewFrame } from "../ui/preview/PreviewFrame.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { CodeEditor } from "./CodeEditor.tsx"
import { ConflictDialog } from "./ConflictDialog.tsx"
import { CsvTable } from "./CsvTable.tsx"
import { previewOf } from "./previewOf.ts"
import { SaveBar } from "./SaveBar.tsx"

export type TextView = "edit" | "preview"

interface TextPaneProps {
  /** Never changes during the pane's life, so give the pane a key. */
  readonly document: TextDocument
  /** The text's name; its extension determines the language. */
  readonly name: string
  readonly label: string
  /** Shown when nothing is saved, with a button to start a text. */
  readonly missing?: string
  readonly autofocus?: boolean
  /** What it is, in its bar. */
  readonly heading?: { readonly title: string; readonly about: string }
  /** The path of its file, in its bar. */
  readonly place?: string
  /** Leads back to where the text was chosen, if that isn't beside it. */
  readonly back?: { readonly href: string; readonly label: string }
  /** The view that was chosen, if others choose it, too; with it, a saved text is shown to read at first. */
  readonly view?: Signal<TextView | null>
}

/** What is unsaved, and what is still empty, is there to be written. */
const firstView = (document: TextDocument): TextView =>
  document.state.get().dirty || document.version === null || document.text().trim() === "" ? "edit" : "preview"

/**
 * A text with everything around it: its editor or preview, its state, and resolving conflicts. What else can be done
 * with it goes into the slot, at the end of its head.
 */
export const TextPane = component$<TextPaneProps>((props) => {
  const state = useReadable(props.document.state)
  const local = useSignal<TextView | null>("edit")
  const chosen = props.view ?? local
  /** How it opened, which saving and changes by others don't turn round. */
  const opened = useSignal<TextView | null>(null)
  const { status, message, asking } = state.value
  const { document, heading, place, back } = props
  const readAs = previewOf(props.name)
  const isMarkdown = readAs === "markdown"
  const isReady = status === "ready"
  const isNarrow = useMedia(NARROW)
  useTask$(({ track }) => {
    opened.value = track(state).status === "ready" ? (opened.value ?? firstView(document)) : null
  })
  const isPreview = isReady && readAs !== null && (chosen.value ?? opened.value) === "preview"
  const show = $((view: TextView) => {
    if (view === "preview") props.document.keep()
    chosen.value = view
  })
  useCommands(() => {
    const { name } = props
    const group = say("This text")
    const canRead = readAs !== null && state.value.status === "ready"
    const isRead = (chosen.value ?? opened.value) === "preview"
    return [
      {
        id: `text.edit ${document.key}`,
        label: say("Edit {name}", { name }),
        group,
        when: () => canRead && isRead && props.view === undefined,
        run: () => show("edit")
      },
      {
        id: `text.preview ${document.key}`,
        label: say("Preview {name}", { name }),
        group,
        when: () => canRead && !isRead,
        run: () => show("preview")
      }
    ]
  })
  const text = isPreview && state.value.replaced >= 0 ? document.text() : ""
  return (
    <div class="flex-column grow text-pane" data-text={status}>
      {(isReady || back !== undefined) && (
        <div class={["row wrap no-shrink border-bottom text-head", !isReady && "is-bare", isMarkdown && "is-prose"]}>
          {back !== undefined && (
            <a class="icon-button text-back" href={back.href} aria-label={back.label}>
              <Icon name="arrow-left" />
            </a>
          )}
          {heading !== undefined && (
            <header class="text-title">
              <h2>{heading.title}</h2>
              <p>{heading.about}</p>
            </header>
          )}
          {isReady && place !== undefined && (
            <p class="can-shrink soft small nowrap text-place" aria-hidden="true" title={place}>
              <bdi class="text-folder">{place.slice(0, place.lastIndexOf("/") + 1)}</bdi>
              <bdi>{place.slice(place.lastIndexOf("/") + 1)}</bdi>
            </p>
          )}
          {isReady && !isNarrow.value && <SaveBar document={document} name={props.name} />}
          {isReady && (
            <div class="row gap-3 no-shrink text-views">
              {readAs !== null && (
                <Segmented
                  label={say("View")}
                  value={isPreview ? "preview" : "edit"}
                  options={[
                    { value: "edit", label: say("Edit") },
                    { value: "preview", label: say("Preview") }
                  ]}
                  onChange$={(view) => show(view === "preview" ? "preview" : "edit")}
                />
              )}
              <Slot />
            </div>
          )}
        </div>
      )}
      {status === "loading" && <LoadingState label={say("Loading…")} />}
      {status === "failed" && (
        <ErrorState title={say("Couldn't load this")} text={message ?? ""} onRetry$={() => document.load()} />
      )}
      {status === "missing" && (
        <ErrorState
          isMissing
          title={place === undefined ? say("Nothing here yet") : say("There's no file at this address")}
          text={props.missing ?? say("It was deleted, or never created.")}
          action={say("Create")}
          onRetry$={() => {
            chosen.value = "edit"
            document.begin()
          }}
        />
      )}
      {isPreview && (
        <div
          class={["text-preview", `is-${readAs}`]}
          tabIndex={0}
          role="region"
          aria-label={say("Preview of {name}", { name: props.name })}
        >
          {readAs === "markdown" && <MarkdownText text={text} streaming={false} />}
          {readAs === "html" && <PreviewFrame previewed={{ code: text, kind: "html" }} />}
          {readAs === "csv" && <CsvTable text={text} />}
        </div>
      )}
      {isReady && !isPreview && (
        <CodeEditor
          document={document}
          fileName={props.name}
          label={props.label}
          autofocus={props.autofocus === true}
        />
      )}
      {/* Within reach of the thumb, and without moving the text when there is something to save. */}
      {isReady && isNarrow.value && (
        <div class="no-shrink border-top text-foot">
          <SaveBar document={document} name={props.name} />
        </div>
      )}
      {asking && <ConflictDialog document={document} name={props.name} onClose$={() => document.stopAsking()} />}
    </div>
  )
})
