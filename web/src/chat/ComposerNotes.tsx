import { component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import type { OutgoingImage } from "../../../src/services/conversations/turn/outgoing.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { TooLong } from "../core/composer/composerRules.ts"
import type { DraftSync } from "../core/composer/DraftSync.ts"
import { type DraftNote, noteText } from "../core/composer/draftRules.ts"
import type { MessageFile } from "../core/composer/messageFiles.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { messagesIn } from "../core/conversation/messagesIn.ts"
import { keepsVersions } from "../core/conversation/versions/keepsVersions.ts"
import { say, sayCount } from "../core/language/say.ts"
import type { GatewayLink } from "../core/link/linkTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { AttachedToDraft } from "./AttachedToDraft.tsx"
import type { LongPaste } from "./chatRequest.ts"
import { followDraft } from "./followDraft.ts"

const sentence = (link: Pick<GatewayLink, "hello">, later: number): string => {
  if (later >= 0 && keepsVersions(link))
    return later === 0
      ? say("This version stays: you can switch back to it.")
      : sayCount(
          later,
          "This version stays, with {count} later message: you can switch back to it.",
          "This version stays, with {count} later messages: you can switch back to it."
        )
  return later < 1
    ? ""
    : sayCount(
        later,
        "{count} later message will be removed; this browser keeps a copy.",
        "{count} later messages will be removed; this browser keeps a copy."
      )
}

/** What sending an edited message does, after the words that one is being edited; empty if it removes nothing. */
function editNote(link: Pick<GatewayLink, "hello">, chat: ChatStore, key: string): string {
  const note = sentence(link, messagesIn(chat.removedBy(key)) - 1)
  return note === "" ? "" : `. ${note}`
}

interface ComposerNotesProps {
  readonly chat: ChatStore
  readonly sessionKey: string
  /** The message that is being written anew; null for none. */
  readonly editing: string | null
  /** What is attached. */
  readonly images: ReadonlyArray<OutgoingImage>
  readonly files: ReadonlyArray<MessageFile>
  /** A long text was pasted: it is in the field, or became a file. */
  readonly longPaste: LongPaste | null
  /** The field's text can't be sent. */
  readonly tooLong: TooLong | null
  readonly onCancel$: QRL<() => void>
  readonly onDetach$: QRL<(what: "images" | "files", index: number) => void>
  readonly onPasted$: QRL<(what: LongPaste | null) => void>
  readonly onTooLong$: QRL<() => void>
}

/** The notes above the composer's field: a message being edited, a draft from elsewhere, and attachments. */
export const ComposerNotes = component$<ComposerNotesProps>((props) => {
  const app = useServices()
  const note = useSignal<DraftNote | null>(null)
  const control = useConstant((): { sync: DraftSync | null } => ({ sync: null }))

  useBrowserTask$(({ cleanup }) => {
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
  })

  const edit = useSignal("")
  useBrowserTask$(({ cleanup, track }) => {
    const key = track(() => props.editing)
    if (key === null) return
    // The outcome is known once the history has the message.
    const update = () => {
      edit.value = editNote(app.client.linkOf(props.sessionKey), props.chat, key)
    }
    update()
    cleanup(props.chat.state.subscribe(update))
  })

  const { editing, longPaste, tooLong } = props
  const said = note.value === null ? null : noteText(note.value)
  return (
    <>
      {editing !== null && (
        <div class="composer-note composer-edit">
          <Icon name="pencil" />
          <p>{say("Editing an earlier message{note}", { note: edit.value })}</p>
          <button type="button" class="button is-small" onClick$={props.onCancel$}>
            {say("Cancel")}
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
            <IconButton icon="x" label={say("Close this note")} onClick$={() => control.sync?.dismiss()} />
          </div>
        )}
      </div>
      <div role="status">
        {tooLong !== null && (
          <div class="composer-note composer-too-long">
            <p>{`${tooLong.said} ${tooLong.draft}`}</p>
            <button type="button" class="button is-small" onClick$={props.onTooLong$}>
              {say("Attach it as a file")}
            </button>
          </div>
        )}
        {longPaste !== null && tooLong === null && (
          <div class="composer-note">
            <p>
              {longPaste === "text" ? say("You pasted a long text.") : say("The long text you pasted is a file now.")}
            </p>
            <button
              type="button"
              class="button is-small"
              onClick$={() => props.onPasted$(longPaste === "text" ? "file" : "text")}
            >
              {longPaste === "text" ? say("Attach it as a file") : say("Keep it as text")}
            </button>
            <IconButton icon="x" label={say("Close this note")} onClick$={() => props.onPasted$(null)} />
          </div>
        )}
      </div>
      <AttachedToDraft
        sessionKey={props.sessionKey}
        images={props.images}
        files={props.files}
        onDetach$={props.onDetach$}
      />
    </>
  )
})
