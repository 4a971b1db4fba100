import { component$ } from "@builder.io/qwik"
import type { NoteItem } from "../core/conversation/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import "./messageMedia.css"

/** A note this long, or with several lines, starts closed. */
const LONG = 140

/** Text from the gateway or another session, set apart from what people and agents say here. */
export const NoteLine = component$<{ readonly item: NoteItem }>((props) => {
  const { from, text } = props.item
  if (text.length <= LONG && !text.includes("\n"))
    return (
      <p class="gateway-note">
        <span class="note-from">{`${from}: `}</span>
        <span>{text}</span>
      </p>
    )
  return (
    <details class="disclosure gateway-note">
      <summary>
        <Icon name="chevron-right" />
        <span class="note-from">{`${from}: `}</span>
        <span class="note-start">{text.slice(0, LONG)}</span>
      </summary>
      <p class="note-text">{text}</p>
    </details>
  )
})
