import { component$, type QRL, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import type { DraftSync } from "../core/composer/DraftSync.ts"
import { type DraftNote, noteText } from "../core/composer/draftRules.ts"
import type { ChatStore, OutgoingImage } from "../core/conversation/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { editNote } from "./editNote.ts"
import { followDraft } from "./followDraft.ts"

interface ComposerNotesProps {
  readonly chat: ChatStore
  readonly sessionKey: string
  /** The message that is being written anew; null for none. */
  readonly editing: string | null
  /** What is attached. */
  readonly images: ReadonlyArray<OutgoingImage>
  readonly onCancel$: QRL<() => void>
  readonly onDetach$: QRL<(index: number) => void>
}

/** What stands above the composer's field: that a message is edited, that a draft came from elsewhere, and pictures. */
export const ComposerNotes = component$<ComposerNotesProps>((props) => {
  const app = useServices()
  const note = useSignal<DraftNote | null>(null)
  const control = useConstant((): { sync: DraftSync | null } => ({ sync: null }))

  useVisibleTask$(
    ({ cleanup }) => {
      const area = document.getElementById("composer")
      if (!(area instanceof HTMLTextAreaElement)) return
      const { sync, stop } = followDraft(app, props.sessionKey, area, () => props.editing !== null)
      control.sync = sync
      const leave = sync.note.subscribe((next) => {
        note.value = next
      })
      cleanup(() => {
        leave()
        stop()
      })
    },
    { strategy: "document-ready" }
  )

  const edit = useSignal("")
  useVisibleTask$(
    ({ cleanup, track }) => {
      const key = track(() => props.editing)
      if (key === null) return
      // What becomes of the message is known once the history has it.
      const say = () => {
        edit.value = editNote(app.client.linkOf(props.sessionKey), props.chat, key)
      }
      say()
      cleanup(props.chat.state.subscribe(say))
    },
    { strategy: "document-ready" }
  )

  const { editing } = props
  const said = note.value === null ? null : noteText(note.value)
  return (
    <>
      {editing !== null && (
        <div class="composer-note composer-edit">
          <Icon name="pencil" />
          <p>{`Editing an earlier message${edit.value}`}</p>
          <button type="button" class="button is-small" onClick$={props.onCancel$}>
            Cancel
          </button>
        </div>
      )}
      <div role="status">
        {said !== null && editing === null && (
          <div class="composer-note composer-draft">
            <p>{said.text}</p>
            <button type="button" class="button is-small" onClick$={() => control.sync?.useOther()}>
              {said.button}
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label="Close this note"
              onClick$={() => control.sync?.dismiss()}
            >
              <Icon name="x" />
            </button>
          </div>
        )}
      </div>
      {props.images.length > 0 && (
        <ul class="plain-list composer-images">
          {props.images.map((image, index) => (
            <li key={`${index}-${image.fileName}`}>
              <img src={`data:${image.mimeType};base64,${image.content}`} alt={image.fileName} width={64} height={64} />
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${image.fileName}`}
                onClick$={() => props.onDetach$(index)}
              >
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
})
