import type { Task } from "../core/board/boardTypes.ts"
import { itemsOf, progressText, progressWords } from "../core/board/checklist.ts"
import { sayCount } from "../core/language/say.ts"
import { Glyph } from "../ui/Icon.tsx"

/** What is written to a card: notes for the agent and comments. */
export const notesOf = (task: Task): number => task.feedback.length + (task.commentCount ?? 0)

/** How far a card's checklist is, and how much is written to it. Plain, as there are a thousand of them. */
export const CardTally = ({ task }: { readonly task: Task }) => {
  const items = itemsOf(task.checklist)
  const notes = notesOf(task)
  return (
    <>
      {items.length > 0 && (
        <span class="tabular card-steps">
          <Glyph name="check" />
          <span aria-hidden="true">{progressText(items)}</span>
          <span class="visually-hidden">{progressWords(items)}</span>
        </span>
      )}
      {notes > 0 && (
        <span class="card-notes">
          <Glyph name="message-square" />
          <span aria-hidden="true">{String(notes)}</span>
          <span class="visually-hidden">{sayCount(notes, "{count} note", "{count} notes")}</span>
        </span>
      )}
    </>
  )
}
