import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { askRunningCards, type NamedWork, type RunningCard, runningWork } from "../core/budgets/runningWork.ts"
import { say, sayCount } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Field } from "../ui/Field.tsx"

/** More names than this are counted. */
const NAMED = 4
const MAX_REASON = 500

interface KindOfWorkProps {
  readonly heading: string
  readonly work: ReadonlyArray<NamedWork>
}

/** How many of a kind run, and the first ones by name. */
const KindOfWork = component$<KindOfWorkProps>((props) => {
  const { heading, work } = props
  const left = work.length - NAMED
  return (
    <li>
      <strong>{heading}</strong>
      <ul class="soft small">
        {work.slice(0, NAMED).map(({ key, title }) => (
          <li key={key} class="break-words">
            {title}
          </li>
        ))}
        {left > 0 && <li>{sayCount(left, "and {count} more", "and {count} more")}</li>}
      </ul>
    </li>
  )
})

/** Asks before everything is stopped, with what is running. */
export const StopDialog = component$(() => {
  const app = useServices()
  const store = useConstant(() => budgetsStore(app.client))
  const sessions = useReadable(app.client.sessions.state, { perFrame: true })
  const cards = useSignal<ReadonlyArray<RunningCard> | null>(null)
  const reason = useSignal("")
  const problem = useSignal<string | null>(null)
  useBrowserTask$(async () => {
    cards.value = await askRunningCards(app.client)
  })
  const close = $(() => budgetRequest.set(null))
  const stop = $(async () => {
    const done = await store.stopAll(reason.value.trim())
    if (!done.ok) {
      problem.value = done.message
      return
    }
    app.notices.show(
      "info",
      done.value === 0
        ? say("Everything is stopped. Nothing was running.")
        : sayCount(done.value, "Stopped {count} session.", "Stopped {count} sessions.")
    )
    close()
  })

  const work = runningWork(sessions.value.rows, cards.value ?? [])
  const kinds = [
    { heading: sayCount(work.sessions.length, "{count} session", "{count} sessions"), work: work.sessions },
    { heading: sayCount(work.cards.length, "{count} card", "{count} cards"), work: work.cards },
    { heading: sayCount(work.jobs.length, "{count} job", "{count} jobs"), work: work.jobs }
  ].filter((kind) => kind.work.length > 0)
  return (
    <ConfirmDialog
      title={say("Stop everything?")}
      confirmLabel={say("Stop everything")}
      danger
      onConfirm$={stop}
      onCancel$={close}
    >
      <div class="stack gap-3">
        {problem.value !== null && (
          <p class="form-problem" role="alert">
            {say("Couldn't stop everything. {reason}", { reason: problem.value })}
          </p>
        )}
        {cards.value === null ? (
          <p role="status">{say("Looking what is running…")}</p>
        ) : kinds.length === 0 ? (
          <p role="status">{say("Nothing is running right now.")}</p>
        ) : (
          <div>
            <p>{say("This is running and stops at once:")}</p>
            <ul class="stack gap-2">
              {kinds.map(({ heading, work: running }) => (
                <KindOfWork key={heading} heading={heading} work={running} />
              ))}
            </ul>
          </div>
        )}
        <p>
          {say(
            "Until you resume, nothing starts on any gateway: messages, cards and scheduled jobs wait, also through a restart. What was stopped doesn't start again by itself."
          )}
        </p>
        <Field label={say("Reason (optional)")} for="stop-reason" hint={say("Shown on every screen while it lasts.")}>
          <input
            id="stop-reason"
            class="field"
            autocomplete="off"
            maxLength={MAX_REASON}
            aria-describedby="stop-reason-hint"
            bind:value={reason}
          />
        </Field>
      </div>
    </ConfirmDialog>
  )
})
