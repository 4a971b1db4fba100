import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { columnTitle } from "../core/board/columns.ts"
import { foundCards } from "../core/board/foundCards.ts"
import { say } from "../core/language/say.ts"
import { useBoard } from "./BoardContext.ts"
import "./flow.css"

interface CardPickerProps {
  readonly id: string
  /** Where nothing beside it says what it's for. */
  readonly label?: string
  readonly placeholder: string
  /** Cards that aren't offered. */
  readonly without: ReadonlyArray<string>
  readonly isFocused?: boolean
  readonly onPick$: QRL<(id: string) => unknown>
}

const OFFERED = 8

/** Finds a card by words of its title: a field with the cards that match below it. */
export const CardPicker = component$<CardPickerProps>((props) => {
  const ui = useBoard()
  const root = useSignal<HTMLElement>()
  const text = useSignal("")
  const current = useSignal(0)
  const isOpen = useSignal(false)
  const { columns, config } = ui.state.value
  const { id, label, placeholder, without } = props
  const found = isOpen.value ? foundCards(columns, text.value, (task) => without.includes(task.id), OFFERED) : []
  const listId = `${id}-cards`

  const pick = $((cardId: string) => {
    const field = root.value?.querySelector("input")
    if (field !== null && field !== undefined) field.value = ""
    text.value = ""
    current.value = 0
    isOpen.value = false
    return props.onPick$(cardId)
  })

  useBrowserTask$(({ cleanup }) => {
    const element = root.value
    const field = element?.querySelector("input")
    if (element === undefined || field === null || field === undefined) return
    const offered = () => [...element.querySelectorAll<HTMLElement>("[role=option]")]
    const onKey = (event: KeyboardEvent) => {
      const all = offered()
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
      if (step !== 0) {
        event.preventDefault()
        if (isOpen.value && all.length > 0) current.value = (current.value + step + all.length) % all.length
        isOpen.value = true
      } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
        // Enter never sends a form around the field.
        event.preventDefault()
        const chosen = all[current.value]?.dataset.card
        if (chosen !== undefined) void pick(chosen)
      } else if (event.key === "Escape" && isOpen.value && all.length > 0) {
        event.preventDefault()
        event.stopPropagation()
        isOpen.value = false
      }
    }
    const onInput = () => {
      text.value = field.value
      current.value = 0
      isOpen.value = true
    }
    const open = () => {
      isOpen.value = true
    }
    const onLeave = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) isOpen.value = false
    }
    field.addEventListener("keydown", onKey)
    field.addEventListener("input", onInput)
    field.addEventListener("click", open)
    element.addEventListener("focusout", onLeave)
    if (props.isFocused === true) {
      field.focus()
      isOpen.value = true
    }
    cleanup(() => {
      field.removeEventListener("keydown", onKey)
      field.removeEventListener("input", onInput)
      field.removeEventListener("click", open)
      element.removeEventListener("focusout", onLeave)
    })
  })

  const chosen = found[current.value]
  return (
    <div ref={root} class="stack card-picker">
      <input
        id={id}
        class="field"
        type="text"
        role="combobox"
        autocomplete="off"
        aria-label={label}
        aria-expanded={found.length > 0 ? "true" : "false"}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen.id}`}
        placeholder={placeholder}
      />
      <div
        id={listId}
        class="card-options"
        role="listbox"
        aria-label={say("Cards")}
        hidden={found.length === 0}
        preventdefault:mousedown
      >
        {found.map((task, index) => {
          const cardId = task.id
          const title = markUnseen(task.title, "prose")
          const column = columnTitle(config, task.status)
          return (
            <div
              key={cardId}
              id={`${listId}-${cardId}`}
              role="option"
              class="row gap-2 card-option"
              aria-selected={index === current.value ? "true" : "false"}
              tabIndex={-1}
              data-card={cardId}
              onClick$={() => pick(cardId)}
            >
              <span class="truncate grow">{title}</span>
              <span class="soft tiny nowrap">{column}</span>
            </div>
          )
        })}
      </div>
      {isOpen.value && text.value.trim() !== "" && found.length === 0 && (
        <p class="soft small card-no-options" role="status">
          {say("No card has these words in its title.")}
        </p>
      )}
    </div>
  )
})
