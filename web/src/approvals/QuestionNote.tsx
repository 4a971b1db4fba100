import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import type { EndNote } from "../core/inbox/inboxTypes.ts"
import { questionNoteText } from "../core/inbox/outcomeText.ts"
import { Icon } from "../ui/Icon.tsx"
import "./questions.css"
import { say } from "../core/language/say.ts"

/** How a question ended that wasn't answered here. */
export const QuestionNote = component$<{ readonly note: EndNote }>((props) => {
  const app = useServices()
  const { note } = props
  const isAnswered = note.resolution?.action === "answer"
  return (
    <div class="question-note" data-answered={isAnswered}>
      <Icon name={isAnswered ? "check" : "hourglass"} />
      <div class="question-news">
        <p class="question-text">{note.text}</p>
        <p class="approval-detail">{questionNoteText(note)}</p>
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={say("Dismiss this note")}
        onClick$={async () => (await app.client.inbox.load()).dismiss(note.id)}
      >
        <Icon name="x" />
      </button>
    </div>
  )
})
