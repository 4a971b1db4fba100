import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import type { CardWait } from "../core/board/boardTypes.ts"
import { waitSentence } from "../core/board/waitText.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useBoard } from "./BoardContext.ts"
import { runCard } from "./boardActions.ts"
import { focusCard } from "./cardElements.ts"
import "./flow.css"

/** Why a card can't start now: each reason in a sentence; a card among them leads there. */
export const WaitNotes = component$<{ readonly waits: ReadonlyArray<CardWait> }>((props) => {
  const now = Date.now()
  return (
    <ul class="plain-list stack gap-1 small wait-notes" aria-label={say("What it waits for")}>
      {props.waits.map((wait) => {
        const { id, kind, title } = wait
        const text = waitSentence(wait, now)
        const isCard = kind === "card" && title !== null && id !== null
        return (
          <li key={`${kind} ${id ?? ""}`} class="row gap-2 break-words">
            <Icon name="hourglass" />
            {isCard ? <a href={taskPath(id)}>{text}</a> : <span>{text}</span>}
          </li>
        )
      })}
    </ul>
  )
})

/** Whether a person can start a card although it waits for other cards or its time. */
export const isForceable = (waits: ReadonlyArray<CardWait>): boolean =>
  waits.some(({ id, kind }) => kind === "card" || kind === "time" || (kind === "person" && id !== null))

/** Asks whether a card is to start although it waits for something. */
export const StartAnywayDialog = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const asked = ui.blocked.value
  const close = $(() => {
    const id = ui.blocked.value?.id
    ui.blocked.value = null
    if (id !== undefined) focusCard(ui, id)
  })
  const task = asked === null ? null : ui.store.find(asked.id)
  if (asked === null || task === null) return null
  const waits = asked.waitsFor.map((wait) =>
    wait.id === null ? wait : { ...wait, title: ui.store.find(wait.id)?.title ?? null }
  )
  return (
    <ConfirmDialog
      title={say("Start {card} anyway?", { card: quotedTitle(task.title) })}
      confirmLabel={say("Start anyway")}
      onCancel$={close}
      onConfirm$={async () => {
        ui.blocked.value = null
        const now = ui.store.find(asked.id)
        if (now !== null) await runCard(app, ui, now, { force: true })
        focusCard(ui, asked.id)
      }}
    >
      <WaitNotes waits={waits} />
    </ConfirmDialog>
  )
})
