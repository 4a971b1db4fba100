import { $, type Component, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import type { OutgoingImage } from "../../../src/services/conversations/turn/outgoing.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import type { TooLong } from "../core/composer/composerRules.ts"
import type { MessageFile } from "../core/composer/messageFiles.ts"
import { modelChoices, modelText } from "../core/composer/modelChoice.ts"
import type { Complete, Completion } from "../core/composer/slashCommands.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { VoicePlace } from "../voice/VoicePlace.tsx"
import { type ComposerControl, createComposerControl, type Typed } from "./ComposerControl.ts"
import type { Busy } from "./ComposerFiles.ts"
import { ComposerNotes } from "./ComposerNotes.tsx"
import { chatRequest, type LongPaste } from "./chatRequest.ts"
import { StartSession } from "./StartSession.tsx"
import "./composer.css"

/** The session's model and how much it thinks, as a button that opens the list of both. */
const ModelControl = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const row = useSelected(
    app.client.sessions.state,
    ({ rows }) => rows.find((candidate) => candidate.key === key) ?? null
  )
  const choices = useReadable(modelChoices)
  const open = useReadable(chatRequest)
  const text = modelText(row.value, choices.value.get(key))
  const isOpen = open.value?.kind === "model"
  return (
    <button
      type="button"
      id="composer-model"
      class="row gap-1 soft bare composer-model"
      aria-label={say("Model and thinking: {choice}", { choice: text })}
      aria-haspopup="dialog"
      aria-expanded={isOpen ? "true" : "false"}
      title={say("Model and thinking")}
      onClick$={() => chatRequest.set(isOpen ? null : { kind: "model" })}
    >
      <span>{text}</span>
      <Icon name="chevron-right" />
    </button>
  )
})

interface ComposerProps {
  readonly chat: ChatStore
  /** Nothing was said yet, so it can still begin elsewhere. */
  readonly isNew: boolean
  readonly sessionKey: string
  readonly onStop$: QRL<() => void>
}

type Commands = Component<{
  readonly text: string
  readonly caret: number
  readonly sessionKey: string
  readonly marked: number
  readonly onChoose$: QRL<(completion: Completion) => void>
  readonly onComplete$: QRL<(complete: Complete) => void>
}>

/** Where messages are written; usable while the agent is working, its text kept per session across reloads. */
export const Composer = component$<ComposerProps>((props) => {
  const app = useServices()
  const chat = props.chat
  const key = props.sessionKey
  const running = useSelected(chat.state, (state) => state.running)
  const queued = useSelected(chat.state, (state) => state.queued)
  const asked = useSelected(app.client.inbox.asked, (asked) => asked.has(key))
  const settings = useReadable(app.client.settings.state)
  const field = useSignal<HTMLTextAreaElement>()
  const picker = useSignal<HTMLInputElement>()
  const empty = useSignal(() => app.client.drafts.get(key) === "")
  const images = useSignal<ReadonlyArray<OutgoingImage>>([])
  const files = useSignal<ReadonlyArray<MessageFile>>([])
  const busy = useSignal<Busy | null>(null)
  const longPaste = useSignal<LongPaste | null>(null)
  const tooLong = useSignal<TooLong | null>(null)
  const dropping = useSignal(false)
  const editing = useSignal<string | null>(null)
  const typed = useSignal<Typed | null>(null)
  const parts = useSignal<{ readonly Commands: Commands } | null>(null)
  useCommands(() => [
    { id: "chat.attach", label: say("Attach files"), group: say("Chat"), run: () => picker.value?.click() }
  ])
  const control = useConstant((): { now: ComposerControl | null } => ({ now: null }))

  useBrowserTask$(({ cleanup }) => {
    const area = field.value
    if (area === undefined) return
    const made = createComposerControl({
      app,
      chat,
      sessionKey: key,
      area,
      view: {
        empty: (value) => {
          empty.value = value
        },
        images: (value) => {
          images.value = value
        },
        files: (value) => {
          files.value = value
        },
        busy: (value) => {
          busy.value = value
        },
        longPaste: (value) => {
          longPaste.value = value
        },
        tooLong: (value) => {
          if (value?.said !== tooLong.value?.said) tooLong.value = value
        },
        dropping: (value) => {
          dropping.value = value
        },
        editing: (value) => {
          editing.value = value
        },
        typed: (value) => {
          typed.value = value
          if (value === null || parts.value !== null) return
          import("./CommandList.tsx").then(
            ({ CommandList }) => {
              parts.value = { Commands: CommandList }
            },
            // Commands can be typed without the list, too.
            () => {}
          )
        }
      },
      stop: () => void props.onStop$()
    })
    control.now = made
    const onPick = () => {
      void made.attach([...(picker.value?.files ?? [])])
      // Otherwise the same file couldn't be picked again after being removed.
      if (picker.value !== undefined) picker.value.value = ""
      area.focus()
    }
    picker.value?.addEventListener("change", onPick)
    cleanup(() => {
      made.dispose()
      picker.value?.removeEventListener("change", onPick)
    })
  })

  const choose = $((completion: Completion) => control.now?.choose(completion))
  const offer = $((complete: Complete) => control.now?.offer(complete))
  const steerKeys = settings.value.sendKey === "enter" ? "Ctrl+Enter" : "Ctrl+Shift+Enter"
  const hint = settings.value.sendKey === "enter" ? say("Shift+Enter for a new line") : say("Ctrl+Enter to send")
  const attached = images.value.length + files.value.length
  const nothing = empty.value && attached === 0
  const working = nothing ? say("Esc to stop") : asked.value ? hint : say("{keys} to send now", { keys: steerKeys })
  const list = typed.value
  const Commands = list === null ? undefined : parts.value?.Commands
  return (
    <form
      class="composer"
      preventdefault:submit
      onSubmit$={() => control.now?.send()}
      aria-label={say("Write a message")}
    >
      {dropping.value && (
        <div class="drop-here">
          <Icon name="paperclip" />
          <p>{say("Drop files to attach them")}</p>
        </div>
      )}
      {Commands !== undefined && (
        <Commands
          text={list?.text ?? ""}
          caret={list?.caret ?? 0}
          marked={list?.marked ?? 0}
          sessionKey={key}
          onChoose$={choose}
          onComplete$={offer}
        />
      )}
      {props.isNew && (
        <StartSession sessionKey={key}>
          <ModelControl sessionKey={key} />
        </StartSession>
      )}
      <div class="composer-box">
        <ComposerNotes
          chat={chat}
          sessionKey={key}
          editing={editing.value}
          images={images.value}
          files={files.value}
          longPaste={longPaste.value}
          tooLong={tooLong.value}
          onCancel$={() => control.now?.cancelEdit()}
          onDetach$={(what, index) => control.now?.detach(what, index)}
          onPasted$={(what) => control.now?.becomes(what)}
          onTooLong$={() => control.now?.wordsAsFile()}
        />
        <textarea
          ref={field}
          id="composer"
          class="composer-field"
          rows={1}
          placeholder={
            asked.value ? say("A message for after your answer") : say("Message the agent, or / for commands")
          }
          aria-label={say("Message")}
          aria-describedby="composer-hint"
          autocomplete="off"
          enterKeyHint="send"
        />
        <div class="row gap-2 composer-row">
          <input ref={picker} class="visually-hidden" type="file" multiple tabIndex={-1} aria-hidden="true" />
          <IconButton icon="paperclip" label={say("Attach files")} onClick$={() => picker.value?.click()} />
          <VoicePlace chat={chat} sessionKey={key} />
          <p id="composer-hint" class="grow soft tiny truncate composer-hint">
            {busy.value === "going" ? (
              say("Attaching files…")
            ) : busy.value === "failed" ? (
              say("Try the file again or remove it")
            ) : queued.value > 0 && nothing ? (
              sayCount(queued.value, "{count} waiting", "{count} waiting")
            ) : (
              <span class={["key-hint", nothing && !running.value && "is-idle"]}>{running.value ? working : hint}</span>
            )}
          </p>
          {!props.isNew && <ModelControl sessionKey={key} />}
          {running.value && (
            <button
              type="button"
              class="round-button is-stop"
              aria-label={say("Stop response")}
              title={say("Stop (Esc)")}
              onClick$={() => props.onStop$()}
            >
              <Icon name="square" />
            </button>
          )}
          <button
            type="submit"
            class="round-button"
            aria-label={running.value ? say("Queue message") : say("Send message")}
            title={
              running.value
                ? say("Send after the current response ({keys}: send now)", { keys: steerKeys })
                : say("Send")
            }
            disabled={nothing || busy.value !== null || tooLong.value !== null}
          >
            <Icon name="arrow-up" />
          </button>
        </div>
      </div>
    </form>
  )
})
