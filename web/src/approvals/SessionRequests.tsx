import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { isOf } from "../core/inbox/waiting.ts"
import { ItemCard } from "./ItemCard.tsx"
import { QuestionNote } from "./QuestionNote.tsx"
import { useSeen } from "./useSeen.ts"

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
