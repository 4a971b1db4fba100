import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { chatPath } from "../base/routes.ts"
import { actorText } from "../core/board/boardText.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { taskHistory } from "../core/board/taskHistory.ts"
import { clockTime, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { TimeMark } from "../ui/TimeMark.tsx"
import { useNow } from "../ui/useNow.ts"
import { useBoard } from "./BoardContext.ts"
import "../ui/fold.css"
import type { TaskComment } from "../../../src/contract/schema/comment.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { createCommentThread, withoutSent } from "../core/board/CommentThread.ts"
import { growWithText } from "../ui/growWithText.ts"
import { IconButton } from "../ui/IconButton.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { announce } from "./boardActions.ts"

/** The notes people left for the agent, oldest first, as a conversation. */
export const FeedbackThread = component$<{ readonly task: Task }>((props) => {
  const now = useNow(60_000)
  if (props.task.feedback.length === 0) return null
  return (
    <section class="task-section" aria-labelledby="task-notes-title">
      <h3 id="task-notes-title">{say("Notes")}</h3>
      <ol class="plain-list feedback">
        {props.task.feedback.map((entry, index) => {
          const { at } = entry
          return (
            <li key={`${entry.at}-${index}`}>
              <p class="space-between gap-3 small feedback-head">
                <b>{actorText(entry.by)}</b>
                <TimeMark at={at} text={relativeTime(entry.at, now.value)} />
              </p>
              <p class="break-words pre-wrap feedback-note">{entry.note}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
})

/** Who did what to a card, and when, as far as the board knows. */
export const TaskHistory = component$<{ readonly task: Task }>((props) => {
  const ui = useBoard()
  const now = useNow(60_000)
  const source = props.task.sourceSessionKey
  const entries = taskHistory(props.task, ui.state.value.proposals, ui.state.value.config)
  return (
    <details class="task-section fold task-history">
      <summary>
        <h3>{say("History")}</h3>
      </summary>
      <ol class="plain-list">
        {entries.map((entry, index) => {
          const { at } = entry
          return (
            <li key={`${entry.at}-${index}`}>
              <p>
                {entry.by !== null && <b>{actorText(entry.by)}</b>}
                <span>{entry.what}</span>
                <TimeMark at={at} text={clockTime(entry.at, now.value)} />
              </p>
              {entry.note !== null && <p class="break-words pre-wrap soft history-note">{entry.note}</p>}
            </li>
          )
        })}
      </ol>
      {source !== null && (
        <p>
          <a href={chatPath(source)}>{say("Open the conversation this card came from")}</a>
        </p>
      )}
    </details>
  )
})

const MAX_LENGTH = 5000

/** What people and agents said about a card, and a place to say more; agents read it with their next attempt. */
export const TaskComments = component$<{ readonly task: Task }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { id } = props.task
  const draft = `board-comment:${id}`
  const thread = useConstant(() => createCommentThread(app.client.api, id))
  const state = useReadable(thread.state)
  const text = useSignal(() => app.client.drafts.get(draft))
  const sending = useSignal(false)
  const problem = useSignal("")
  const field = useSignal<HTMLTextAreaElement>()
  const now = useNow(60_000)

  useBrowserTask$(({ track }) => {
    const { version, commentCount } = track(() => props.task)
    thread.follow({ version, commentCount })
  })

  useBrowserTask$(({ track }) => {
    track(text)
    if (field.value !== undefined) growWithText(field.value)
  })

  const send = $(async () => {
    const said = text.value.trim()
    if (sending.value) return
    if (said === "") {
      field.value?.focus()
      return
    }
    sending.value = true
    const done = await thread.add(said)
    sending.value = false
    problem.value = done.ok ? "" : done.message
    if (!done.ok) return
    text.value = withoutSent(text.value, said)
    app.client.drafts.set(draft, text.value)
    announce(ui, say("Your comment was added."))
    field.value?.focus()
  })

  useBrowserTask$(({ cleanup }) => {
    const element = field.value
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      // The same keys save the card.
      event.stopPropagation()
      void send()
    }
    element?.addEventListener("keydown", onKey)
    cleanup(() => element?.removeEventListener("keydown", onKey))
  })

  const remove = $((comment: TaskComment) => {
    const removal = thread.remove(comment.id)
    field.value?.focus()
    app.notices.offerUndo(say("Deleted the comment."), removal.undo, async () => {
      const failure = await removal.commit()
      if (failure !== null) app.notices.show("error", failure)
    })
  })

  const { comments, problem: unread } = state.value
  return (
    <section class="task-section" aria-labelledby="task-comments-title">
      <h3 id="task-comments-title">{say("Comments")}</h3>
      {unread !== null && <p class="form-problem">{unread}</p>}
      {comments !== null && comments.length > 0 && (
        <ol class="plain-list stack gap-3 comments">
          {comments.map((comment) => {
            const { at, text } = comment
            return (
              <li key={comment.id} class="comment">
                <p class="space-between gap-3 small feedback-head">
                  <b>{actorText(comment.by)}</b>
                  <TimeMark at={at} text={relativeTime(comment.at, now.value)} />
                  <IconButton
                    icon="x"
                    label={say("Delete the comment of {name}", { name: actorText(comment.by) })}
                    title={say("Delete")}
                    onClick$={() => remove(comment)}
                  />
                </p>
                <MarkdownText text={text} streaming={false} />
              </li>
            )
          })}
        </ol>
      )}
      <div class="stack justify-start gap-2 comment-form">
        <textarea
          ref={field}
          class="field"
          rows={2}
          maxLength={MAX_LENGTH}
          aria-label={say("Add a comment")}
          placeholder={say("Add a comment")}
          value={text.value}
          onInput$={(_, element) => {
            text.value = element.value
            app.client.drafts.set(draft, element.value)
          }}
        />
        <p class="form-problem" role="alert">
          {problem.value}
        </p>
        {text.value.trim() !== "" && (
          <button type="button" class="button is-small" disabled={sending.value} onClick$={send}>
            {sending.value ? say("Sending…") : say("Comment")}
          </button>
        )}
      </div>
    </section>
  )
})
