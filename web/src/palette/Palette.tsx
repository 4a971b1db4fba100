import { $, component$, useComputed$, useConstant, useId, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { afterFrames } from "../app/afterFrames.ts"
import { useServices } from "../app/ConsoleContext.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { searchCommands } from "../core/commands/searchCommands.ts"
import { Icon } from "../ui/Icon.tsx"
import { useModal } from "../ui/useModal.ts"
import { Keys } from "./Keys.tsx"
import { paletteEntries } from "./paletteEntries.ts"
import "../ui/dialog.css"
import "./palette.css"

/** Most results drawn; more words find the rest. */
const MAX_SHOWN = 60
/** Results an arrow with Page passes over. */
const PAGE = 8

const found = (entries: ReadonlyArray<Command>, words: string): ReadonlyArray<Command> =>
  searchCommands(entries, words).slice(0, MAX_SHOWN)

/** Finds and does anything: screens, sessions, settings, and what the screen below offers. */
export const Palette = component$(() => {
  const app = useServices()
  const id = useId()
  const dialog = useSignal<HTMLDialogElement>()
  const field = useSignal<HTMLInputElement>()
  const query = useSignal("")
  const active = useSignal(0)
  const entries = useConstant(() => paletteEntries(app))
  const shown = useComputed$(() => found(entries, query.value))

  const close = $(() => app.overlay.set(null))
  useModal(dialog, { onClose$: close, keepOnBackdrop: false })

  useVisibleTask$(
    ({ cleanup }) => {
      const input = field.value
      if (input === undefined) return
      // Keys act on what is written now; what is drawn follows a moment later.
      const results = () => found(entries, input.value)
      const walk = (to: number) => {
        const count = results().length
        active.value = count === 0 ? 0 : (to + count) % count
        requestAnimationFrame(() =>
          document.getElementById(`${id}-${active.value}`)?.scrollIntoView({ block: "nearest" })
        )
      }
      const onKey = (event: KeyboardEvent) => {
        if (event.isComposing) return
        const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
        const step = steps[event.key]
        if (step !== undefined) walk(active.value + step)
        else if (event.key === "PageDown") walk(Math.min(active.value + PAGE, results().length - 1))
        else if (event.key === "PageUp") walk(Math.max(active.value - PAGE, 0))
        else if (event.key === "Enter") choose(results()[active.value])
        else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) app.overlay.set(null)
        else return
        event.preventDefault()
      }
      const onInput = () => {
        query.value = input.value
        active.value = 0
      }
      input.addEventListener("keydown", onKey)
      input.addEventListener("input", onInput)
      cleanup(() => {
        input.removeEventListener("keydown", onKey)
        input.removeEventListener("input", onInput)
      })
    },
    { strategy: "document-ready" }
  )

  const choose = $((command: Command | undefined) => {
    if (command === undefined) return
    app.overlay.set(null)
    // After the dialog gave the focus back, so that a command may move it.
    afterFrames(2, () => void command.run())
  })

  const count = shown.value.length
  return (
    <dialog ref={dialog} class="dialog palette" aria-label="Command palette">
      <div class="dialog-frame">
        <div class="palette-head">
          <Icon name="search" />
          <input
            ref={field}
            class="palette-field"
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            data-autofocus
            placeholder="Find a command, a session, a setting"
            aria-label="Find a command, a session, a setting"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-controls={`${id}-list`}
            aria-activedescendant={count === 0 ? undefined : `${id}-${active.value}`}
          />
          <button type="button" class="icon-button" aria-label="Close" onClick$={close}>
            <Icon name="x" />
          </button>
        </div>
        <div class="palette-list" id={`${id}-list`} role="listbox" aria-label="Results">
          {shown.value.map((command, index) => (
            <div
              key={command.id}
              id={`${id}-${index}`}
              class="palette-entry"
              role="option"
              tabIndex={-1}
              aria-selected={index === active.value ? "true" : "false"}
              onPointerMove$={() => {
                active.value = index
              }}
              onClick$={() => choose(command)}
            >
              <span class="palette-label">{command.label}</span>
              <span class="palette-group">{command.group}</span>
              {command.keys !== undefined && <Keys keys={command.keys ?? ""} />}
            </div>
          ))}
        </div>
        <p class="palette-note" role="status">
          {count === 0 ? "Nothing has these words." : `${count} ${count === 1 ? "result" : "results"}`}
        </p>
      </div>
    </dialog>
  )
})
