import { component$, type QRL, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { selectReadable } from "../app/selectReadable.ts"
import { useReadable } from "../app/useReadable.ts"
import type { ChatStore, OutgoingImage } from "../core/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { COMPOSE_EVENT } from "./compose.ts"
import { lastOwnText, recallsMessage, sendsMessage } from "./composerKeys.ts"
import { growWithText } from "./growWithText.ts"
import { imagesOf, readImages } from "./readImages.ts"
import "./composer.css"

interface ComposerProps {
  readonly chat: ChatStore
  readonly sessionKey: string
  readonly onStop$: QRL<() => void>
}

/** Where messages are written; usable while the agent works, its text kept per session over reloads. */
export const Composer = component$<ComposerProps>((props) => {
  const app = useServices()
  const chat = props.chat
  const key = props.sessionKey
  const running = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.running)))
  const queued = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.queued)))
  const settings = useReadable(app.console.settings.state)
  const field = useSignal<HTMLTextAreaElement>()
  const picker = useSignal<HTMLInputElement>()
  const empty = useSignal(() => app.console.drafts.get(key) === "")
  const images = useSignal<ReadonlyArray<OutgoingImage>>([])
  const actions = useConstant(() => ({ send: () => {} }))

  useVisibleTask$(
    ({ cleanup }) => {
      const area = field.value
      if (area === undefined) return
      const show = (text: string) => {
        area.value = text
        empty.value = text.trim() === ""
        growWithText(area)
      }
      const write = (text: string) => {
        app.console.drafts.set(key, text)
        show(text)
      }
      const addImages = async (files: ReadonlyArray<File>) => {
        const result = await readImages(files)
        images.value = [...images.value, ...result.images]
        if (result.problem !== null) app.notices.show("error", result.problem)
      }
      actions.send = () => {
        if (!chat.send(area.value, images.value)) return
        images.value = []
        write("")
        area.focus()
      }
      const onInput = () => write(area.value)
      const onKey = (event: KeyboardEvent) => {
        if (recallsMessage(event, area.value)) {
          const last = lastOwnText(chat.state.get().items)
          if (last === null) return
          event.preventDefault()
          write(last)
          return
        }
        if (!sendsMessage(event, app.console.settings.state.get().sendKey)) return
        event.preventDefault()
        actions.send()
      }
      const onPaste = (event: ClipboardEvent) => {
        const files = imagesOf(event.clipboardData)
        if (files.length === 0) return
        event.preventDefault()
        void addImages(files)
      }
      const onDragOver = (event: DragEvent) => {
        if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
      }
      const onDrop = (event: DragEvent) => {
        const files = imagesOf(event.dataTransfer)
        if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
        void addImages(files)
      }
      const onPick = () => {
        void addImages([...(picker.value?.files ?? [])])
        // Else the same picture could not be picked again after it was removed.
        if (picker.value !== undefined) picker.value.value = ""
        area.focus()
      }
      const onCompose = (event: Event) => {
        if (!(event instanceof CustomEvent) || typeof event.detail !== "string") return
        write(area.value.trim() === "" ? event.detail : `${area.value}\n${event.detail}`)
        area.focus()
      }
      area.addEventListener("input", onInput)
      area.addEventListener("keydown", onKey)
      area.addEventListener("paste", onPaste)
      picker.value?.addEventListener("change", onPick)
      document.addEventListener("dragover", onDragOver)
      document.addEventListener("drop", onDrop)
      window.addEventListener(COMPOSE_EVENT, onCompose)
      show(app.console.drafts.get(key))
      if (window.matchMedia("(pointer: fine)").matches) area.focus()
      cleanup(() => {
        area.removeEventListener("input", onInput)
        area.removeEventListener("keydown", onKey)
        area.removeEventListener("paste", onPaste)
        picker.value?.removeEventListener("change", onPick)
        document.removeEventListener("dragover", onDragOver)
        document.removeEventListener("drop", onDrop)
        window.removeEventListener(COMPOSE_EVENT, onCompose)
      })
    },
    { strategy: "document-ready" }
  )

  const hint = settings.value.sendKey === "enter" ? "Shift+Enter for a new line" : "Ctrl+Enter to send"
  const nothing = empty.value && images.value.length === 0
  return (
    <form class="composer" preventdefault:submit onSubmit$={() => actions.send()} aria-label="Write a message">
      <div class="composer-box">
        {images.value.length > 0 && (
          <ul class="plain-list composer-images">
            {images.value.map((image, index) => (
              <li key={`${index}-${image.fileName}`}>
                <img
                  src={`data:${image.mimeType};base64,${image.content}`}
                  alt={image.fileName}
                  width={64}
                  height={64}
                />
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Remove ${image.fileName}`}
                  onClick$={() => {
                    images.value = images.value.filter((_, at) => at !== index)
                  }}
                >
                  <Icon name="x" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          id="composer"
          class="composer-field"
          rows={1}
          placeholder="Message the agent"
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
            title="Attach pictures (at most 10 MB each)"
            onClick$={() => picker.value?.click()}
          >
            <Icon name="paperclip" />
          </button>
          <p id="composer-hint" class="composer-hint">
            {queued.value > 0 ? `${queued.value} queued` : running.value ? "Esc to stop" : hint}
          </p>
          {running.value && (
            <button
              type="button"
              class="round-button is-stop"
              aria-label="Stop the answer"
              title="Stop (Esc)"
              onClick$={() => props.onStop$()}
            >
              <Icon name="square" />
            </button>
          )}
          <button
            type="submit"
            class="round-button"
            aria-label={running.value ? "Queue the message" : "Send the message"}
            title={running.value ? "Queue" : "Send"}
            disabled={nothing}
          >
            <Icon name="arrow-up" />
          </button>
        </div>
      </div>
    </form>
  )
})
