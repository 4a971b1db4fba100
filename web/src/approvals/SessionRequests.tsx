import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { type EndNote, isOf } from "../core/inbox/inboxTypes.ts"
import { questionNoteText } from "../core/inbox/outcomeText.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { ItemCard, useSeen } from "./ItemCard.tsx"

/** How a question ended that wasn't answered here. */
const QuestionNote = component$<{ readonly note: EndNote }>((props) => {
  const app = useServices()
  const { note } = props
  const isAnswered = note.resolution?.action === "answer"
  return (
    <div class="surface row gap-3 question-note" data-answered={isAnswered}>
      <Icon name={isAnswered ? "check" : "hourglass"} />
      <div class="grow small question-news">
        <p class="strong break-words pre-wrap question-text">{note.text}</p>
        <p class="approval-detail">{questionNoteText(note)}</p>
      </div>
      <IconButton
        icon="x"
        label={say("Dismiss this note")}
        onClick$={async () => (await app.client.inbox.load()).dismiss(note.id)}
      />
    </div>
  )
})

/** What the session's agent is waiting for, answered in the conversation, and how its last question ended. */
export const SessionRequests = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const waiting = useReadable(app.client.inbox.open)
  const notes = useReadable(app.client.inbox.notes)
  useSeen()
  const own = waiting.value.filter((one) => isOf(one, props.sessionKey))
  const news = notes.value.filter(({ sessionKey }) => sessionKey === props.sessionKey)
  return (
    <div class="approval-place" aria-live="polite">
      {news.map((note) => {
        const { id } = note
        return <QuestionNote key={`note-${id}`} note={note} />
      })}
      {own.map((one) => {
        const { id } = one
        return <ItemCard key={id} item={one} />
      })}
    </div>
  )
})
