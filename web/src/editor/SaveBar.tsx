import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import type { TextDocument } from "../core/knowledge/TextDocument.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"

interface SaveBarProps {
  /** Never changes during the bar's life, so give the bar a key. */
  readonly document: TextDocument
  /** The text's name. */
  readonly name: string
}

/** The state of a text (saved, unsaved, failed, changed by others), and the buttons for it. */
export const SaveBar = component$<SaveBarProps>((props) => {
  const app = useServices()
  const state = useReadable(props.document.state)
  const { dirty, saving, conflict, message, status } = state.value
  const discard = $(() => {
    const back = props.document.remember()
    props.document.discard()
    app.notices.offerUndo(say("Your changes to {name} were discarded.", { name: props.name }), back)
  })
  useCommands(() => {
    const { document, name } = props
    const now = document.state.get()
    const group = say("This text")
    return [
      {
        id: `text.save ${document.key}`,
        label: say("Save {name}", { name }),
        group,
        when: () => now.dirty && !now.saving,
        run: () => document.save()
      },
      {
        id: `text.discard ${document.key}`,
        label: say("Discard the changes to {name}", { name }),
        group,
        when: () => now.dirty && !now.saving,
        run: discard
      },
      {
        id: `text.compare ${document.key}`,
        label: say("Compare {name} with what someone else saved", { name }),
        group,
        when: () => now.conflict !== null,
        run: () => document.ask()
      }
    ]
  })
  const isNew = props.document.version === null && status === "ready"
  const said = saving
    ? say("Saving…")
    : dirty
      ? say("Unsaved")
      : isNew
        ? say("New")
        : status === "ready"
          ? say("Saved")
          : ""
  return (
    <div class="row wrap no-shrink save-bar">
      {conflict !== null && (
        <div class="row gap-2 small break-words save-conflict" role="alert">
          <Icon name="triangle-alert" />
          <span>{conflict.theirs === null ? say("Someone deleted this.") : say("Someone else changed this.")}</span>
          <button type="button" class="button is-small" onClick$={() => props.document.ask()}>
            {conflict.theirs === null ? say("Decide") : say("Compare")}
          </button>
        </div>
      )}
      {message !== null && status === "ready" && (
        <p class="row gap-2 small break-words save-problem" role="alert">
          <Icon name="triangle-alert" />
          <span>{say("Not saved: {message}", { message })}</span>
        </p>
      )}
      <span class={["soft small save-state", dirty && "is-dirty"]} role="status">
        {said}
      </span>
      {dirty && (
        <button type="button" class="button is-small" disabled={saving} onClick$={discard}>
          {say("Discard")}
        </button>
      )}
      {(dirty || isNew || saving) && (
        <button
          type="button"
          class="button is-small is-primary"
          disabled={saving}
          title={say("Save {name} (Ctrl+S)", { name: props.name })}
          onClick$={() => props.document.save()}
        >
          {say("Save")}
        </button>
      )}
    </div>
  )
})

/** Saves the open text on Ctrl/Cmd+S, wherever the focus is. Stops with the returned function. */
export const followSaveKey = (current: () => TextDocument | null): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    if (document.querySelector("dialog[open]") !== null) return
    const text = current()
    if (text === null || text.state.get().status !== "ready") return
    // The editor has already saved.
    if (!event.defaultPrevented) void text.save()
    event.preventDefault()
  }
  document.addEventListener("keydown", onKey)
  return () => document.removeEventListener("keydown", onKey)
}
