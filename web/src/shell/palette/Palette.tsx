import { $, component$, useComputed$, useConstant, useId, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { afterFrames } from "../../base/afterFrames.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useReadable } from "../../base/useReadable.ts"
import { keyCaps } from "../../core/commands/Shortcuts.ts"
import { searchCommands } from "../../core/commands/searchCommands.ts"
import { say, sayCount } from "../../core/language/say.ts"
import { useModal } from "../../ui/Dialog.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { StateMark } from "../../ui/StateBadge.tsx"
import { takeTypedAhead } from "../typeAhead.ts"
import { type PaletteEntry, paletteEntries, sectionsOf } from "./paletteEntries.ts"
import { paletteSearch, searchEntries, typeInto } from "./paletteSearch.ts"
import "../../ui/dialog.css"
import "./palette.css"

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** A shortcut's keys as key caps. */
export const Keys = component$<{ readonly keys: string }>((props) => (
  <span class="keys">
    {keyCaps(props.keys, isMac()).map((caps, index) => (
      <span key={index} class="keys-stroke">
        {caps.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
      </span>
    ))}
  </span>
))

/** Maximum results drawn; more words narrow them down. */
const MAX_SHOWN = 60
/** Results that Page Up and Page Down skip. */
const PAGE = 8

/** What the keys of the list have on them, in every language, and what they do. */
const KEY_HINTS = [
  { caps: ["↑", "↓"], does: say("Select") },
  { caps: ["↵"], does: say("Open") },
  { caps: ["esc"], does: say("Close") }
]

const found = (entries: ReadonlyArray<PaletteEntry>, words: string): ReadonlyArray<PaletteEntry> =>
  searchCommands(entries, words).slice(0, MAX_SHOWN)

/** Finds and runs anything: screens, sessions, settings, and what the current screen offers. */
export const Palette = component$(() => {
  const app = useServices()
  const id = useId()
  const dialog = useSignal<HTMLDialogElement>()
  const field = useSignal<HTMLInputElement>()
  const query = useSignal("")
  const active = useSignal(0)
  const entries = useConstant(() => paletteEntries(app))
  const search = useConstant(() => paletteSearch(app))
  const chosen = useConstant(() => ({ command: null as PaletteEntry | null }))
  const everything = useReadable(search.state)
  const commands = useComputed$(() => found(entries, query.value))

  const close = $(() => app.overlay.set(null))
  useModal(dialog, { onClose$: close, keepOnBackdrop: false })

  useBrowserTask$(({ cleanup }) => {
    const input = field.value
    if (input === undefined) return
    // Keys act on the current text; the drawing follows a moment later.
    const results = () => [...found(entries, input.value), ...searchEntries(app, search.state.get(), input.value)]
    const walk = (to: number) => {
      const count = results().length
      active.value = count === 0 ? 0 : (to + count) % count
      requestAnimationFrame(() =>
        document.getElementById(`${id}-${active.value}`)?.scrollIntoView({ block: "nearest" })
      )
    }
    const onKey = (event: KeyboardEvent) => {
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
      typeInto(search, input.value)
    }
    input.addEventListener("keydown", onKey)
    input.addEventListener("input", onInput)
    const { isEntered, text } = takeTypedAhead()
    if (text !== "") {
      input.value = text
      onInput()
    }
    if (isEntered) choose(results()[0])
    cleanup(() => {
      input.removeEventListener("keydown", onKey)
      input.removeEventListener("input", onInput)
      search.type("")
      // Once the dialog is gone: it has restored the focus, which the command may move, and takes no keys from what follows.
      const { command } = chosen
      if (command !== null) afterFrames(1, () => void command.run())
    })
  })

  const choose = $((command: PaletteEntry | undefined) => {
    if (command === undefined) return
    chosen.command = command
    app.overlay.set(null)
  })

  const count = commands.value.length
  const shown = [...commands.value, ...searchEntries(app, everything.value, query.value)]
  const hits = Math.max(0, shown.length - count - 1)
  const note = count === 0 ? say("No results") : sayCount(count, "{count} result", "{count} results")
  const isAsking = query.value.trim() !== ""
  const entry = (command: PaletteEntry, index: number) => {
    const { icon, state = null, stateText = "" } = command
    return (
      <div
        key={command.id}
        id={`${id}-${index}`}
        class={["row gap-3 palette-entry", index === count && "is-search", index > count && "is-hit"]}
        role="option"
        tabIndex={-1}
        aria-selected={index === active.value ? "true" : "false"}
        onPointerMove$={() => {
          active.value = index
        }}
        onClick$={() => choose(command)}
      >
        {state !== null ? <StateMark state={state} /> : icon !== undefined && <Icon name={icon} />}
        <span class="truncate grow palette-label">{command.label}</span>
        {stateText !== "" && (
          <span class="truncate no-shrink soft small palette-group unseen-on-phone">{stateText}</span>
        )}
        {command.note !== undefined && <span class="truncate no-shrink soft small palette-group">{command.note}</span>}
        {isAsking && <span class="truncate no-shrink soft small palette-group">{command.group}</span>}
        {command.keys !== undefined && <Keys keys={command.keys ?? ""} />}
      </div>
    )
  }
  return (
    <dialog ref={dialog} class="dialog palette" aria-label={say("Command palette")}>
      <div class="flex-column dialog-frame">
        <div class="row gap-3 no-shrink soft palette-head">
          <Icon name="search" />
          <input
            ref={field}
            class="grow bare palette-field"
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            data-autofocus
            placeholder={say("Find a command, session or setting")}
            aria-label={say("Find a command, session or setting, or search everything")}
            aria-expanded="true"
            aria-autocomplete="list"
            aria-controls={`${id}-list`}
            aria-activedescendant={shown.length === 0 ? undefined : `${id}-${active.value}`}
          />
          <IconButton icon="x" label={say("Close")} onClick$={close} />
        </div>
        <div class="scroll-y palette-list" id={`${id}-list`} role="listbox" aria-label={say("Results")}>
          {isAsking
            ? shown.map(entry)
            : sectionsOf(shown).map(({ commands, name, start }) => (
                <div key={name} role="group" aria-label={name}>
                  <p class="soft tiny strong palette-heading" aria-hidden="true">
                    {name}
                  </p>
                  {commands.map((command, index) => entry(command, start + index))}
                </div>
              ))}
        </div>
        <p class={["no-shrink soft small border-top palette-note", !isAsking && "is-hint"]} role="status">
          {!isAsking ? (
            <>
              <span class="visually-hidden">{say("Up and down choose, Enter opens")}</span>
              <span class="flex wrap palette-keys" aria-hidden="true">
                {KEY_HINTS.map(({ caps, does }) => (
                  <span key={does} class="keys">
                    {caps.map((cap) => (
                      <kbd key={cap}>{cap}</kbd>
                    ))}
                    <span>{does}</span>
                  </span>
                ))}
              </span>
            </>
          ) : hits === 0 ? (
            note
          ) : (
            say("{note}, {hits} found in everything", { note, hits })
          )}
        </p>
      </div>
    </dialog>
  )
})
