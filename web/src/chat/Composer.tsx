import { $, type Component, component$, type QRL, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { usePart } from "../base/usePart.ts"
import { useReadable } from "../base/useReadable.ts"
import type { Complete } from "../core/composer/slashCommands.ts"
import type { ChatStore, OutgoingImage } from "../core/conversation/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { VoicePlace } from "../voice/VoicePlace.tsx"
import { type ComposerControl, createComposerControl } from "./ComposerControl.ts"
import { ModelControl } from "./ModelControl.tsx"
import "./composer.css"

interface ComposerProps {
  readonly chat: ChatStore
  readonly sessionKey: string
  readonly onStop$: QRL<() => void>
}

type Commands = Component<{
  readonly text: string
  readonly sessionKey: string
  readonly marked: number
  readonly onChoose$: QRL<(text: string) => void>
  readonly onComplete$: QRL<(complete: Complete) => void>
}>

/** Where messages are written; usable while the agent is working, its text kept per session across reloads. */
export const Composer = component$<ComposerProps>((props) => {
  const app = useServices()
  const chat = props.chat
  const key = props.sessionKey
  const running = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.running)))
  const queued = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.queued)))
  const asked = useReadable(useConstant(() => selectReadable(app.client.inbox.asked, (asked) => asked.get(key))))
  const settings = useReadable(app.client.settings.state)
  const field = useSignal<HTMLTextAreaElement>()
  const picker = useSignal<HTMLInputElement>()
  const empty = useSignal(() => app.client.drafts.get(key) === "")
  const images = useSignal<ReadonlyArray<OutgoingImage>>([])
  const reading = useSignal(false)
  const editing = useSignal<string | null>(null)
  const command = useSignal<{ readonly text: string; readonly marked: number } | null>(null)
  const parts = useSignal<{ readonly Commands: Commands } | null>(null)
  const notes = usePart(() => import("./followChat.ts"))
  const control = useConstant((): { now: ComposerControl | null } => ({ now: null }))

  useVisibleTask$(
    ({ cleanup }) => {
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
          reading: (value) => {
            reading.value = value
          },
          editing: (value) => {
            editing.value = value
          },
          command: (value) => {
            command.value = value
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
        // Otherwise the same picture couldn't be picked again after being removed.
        if (picker.value !== undefined) picker.value.value = ""
        area.focus()
      }
      picker.value?.addEventListener("change", onPick)
      cleanup(() => {
        made.dispose()
        picker.value?.removeEventListener("change", onPick)
      })
    },
    { strategy: "document-ready" }
  )

  const choose = $((text: string) => control.now?.choose(text))
  const offer = $((complete: Complete) => control.now?.offer(complete))
  const steerKeys = settings.value.sendKey === "enter" ? "Ctrl+Enter" : "Ctrl+Shift+Enter"
  const hint = settings.value.sendKey === "enter" ? "Shift+Enter for a new line" : "Ctrl+Enter to send"
  const nothing = empty.value && images.value.length === 0
  const answers = editing.value === null && images.value.length === 0 ? asked.value : undefined
  const working = nothing ? "Esc to stop" : answers ? hint : `${steerKeys} to send now`
  const list = command.value
  const Notes = notes.value.part?.ComposerNotes
  const Commands = list === null ? undefined : parts.value?.Commands
  return (
    <form class="composer" preventdefault:submit onSubmit$={() => control.now?.send()} aria-label="Write a message">
      {Commands !== undefined && (
        <Commands
          text={list?.text ?? ""}
          marked={list?.marked ?? 0}
          sessionKey={key}
          onChoose$={choose}
          onComplete$={offer}
        />
      )}
      <div class="composer-box">
        {Notes !== undefined && (
          <Notes
            chat={chat}
            sessionKey={key}
            editing={editing.value}
            images={images.value}
            onCancel$={() => control.now?.cancelEdit()}
            onDetach$={(index) => control.now?.detach(index)}
          />
        )}
        {answers !== undefined && (
          <div class="composer-answer">
            <p>{answers.text}</p>
            <button
              type="button"
              class="button is-small"
              aria-label="Queue as message"
              title="Send as a message after the current response"
              disabled={nothing}
              onClick$={() => control.now?.send(false, true)}
            >
              Queue
            </button>
            <button type="submit" class="button is-small is-primary" disabled={nothing}>
              {answers.label}
            </button>
          </div>
        )}
        <textarea
          ref={field}
          id="composer"
          class="composer-field"
          rows={1}
          placeholder={answers ? "Answer the agent, or / for commands" : "Message the agent, or / for commands"}
          aria-label="Message"
          aria-describedby="composer-hint"
          autocomplete="off"
          enterKeyHint="send"
        />
        <div class="composer-row">
          <input
            ref={picker}
            class="visually-hidden"
            type="file"
            accept="image/*"
            multiple
            tabIndex={-1}
            aria-hidden="true"
          />
          <button
            type="button"
            class="icon-button"
            aria-label="Attach pictures"
            title="Attach pictures (large ones are resized)"
            onClick$={() => picker.value?.click()}
          >
            <Icon name="paperclip" />
          </button>
          <VoicePlace chat={chat} sessionKey={key} />
          <p id="composer-hint" class="composer-hint">
            {reading.value ? (
              "Reading pictures…"
            ) : queued.value > 0 && nothing ? (
              `${queued.value} waiting`
            ) : (
              <span class="key-hint">{running.value ? working : hint}</span>
            )}
          </p>
          <ModelControl sessionKey={key} />
          {running.value && (
            <button
              type="button"
              class="round-button is-stop"
              aria-label="Stop response"
              title="Stop (Esc)"
              onClick$={() => props.onStop$()}
            >
              <Icon name="square" />
            </button>
          )}
          <button
            type="submit"
            class="round-button"
            aria-label={answers?.label ?? (running.value ? "Queue message" : "Send message")}
            title={
              answers?.label ?? (running.value ? `Send after the current response (${steerKeys}: send now)` : "Send")
            }
            disabled={nothing || reading.value}
          >
            <Icon name="arrow-up" />
          </button>
        </div>
      </div>
    </form>
  )
})
