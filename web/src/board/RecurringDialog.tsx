import { $, component$, type QRL, Slot, useConstant, useSignal } from "@builder.io/qwik"
import type { Routine } from "../../../src/contract/schema/routine.ts"
import type { TaskTemplate } from "../../../src/contract/schema/template.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { routinesOf } from "../core/board/RoutinesStore.ts"
import { momentText } from "../core/common/dateText.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { routineTimes } from "../core/operations/routineTimes.ts"
import { scheduleWords } from "../core/operations/scheduleWords.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce } from "./boardActions.ts"
import { boardPath } from "./boardView.ts"
import { type PatternAsked, PatternDialog } from "./PatternDialog.tsx"
import "../ui/fold.css"
import "./flow.css"

const SHOWN_TIMES = 5

interface RowProps<A> {
  readonly item: A
  readonly onEdit$: () => unknown
}

/** Deletes a recurring card or a template once the offer to undo it has ended. */
const useRemove = () => {
  const app = useServices()
  const store = routinesOf(app.client)
  return useConstant(() => (kind: "routines" | "templates", id: string, name: string) => {
    store.hide(id, true)
    app.notices.offerUndo(
      say("Deleted {what}.", { what: quotedTitle(name) }),
      () => store.hide(id, false),
      async () => {
        const gone = await store.remove(kind, id)
        store.hide(id, false)
        if (!gone.ok) app.notices.show("error", gone.message)
      }
    )
  })
}

/** A recurring card: when it comes, when it comes next, and what can be done with it. */
const RoutineRow = component$<RowProps<Routine>>((props) => {
  const app = useServices()
  const ui = useBoard()
  const store = useConstant(() => routinesOf(app.client))
  const busy = useSignal(false)
  const remove = useRemove()
  const { cron, zone } = props.item.schedule
  const name = markUnseen(props.item.name, "prose")
  const now = Date.now()
  const schedule = { kind: "cron", expression: cron, zone } as const
  const times = routineTimes(props.item, now, SHOWN_TIMES)
  const { enabled } = props.item
  const [first] = times
  const words = scheduleWords(schedule, zone)

  const run = $(async () => {
    busy.value = true
    const made = await store.run(props.item.id)
    busy.value = false
    if (!made.ok) return app.notices.show("error", made.message)
    const text = say("Made a card of {name}.", { name: quotedTitle(props.item.name) })
    announce(ui, text)
    app.notices.offer(text, {
      label: say("Open"),
      run: () => app.router.navigate(boardPath(app, { task: made.value }))
    })
  })
  const toggle = $(async (isOn: boolean) => {
    const saved = await store.saveRoutine(props.item, { enabled: isOn })
    if (!saved.ok) app.notices.show("error", saved.message)
  })

  return (
    <li class={["surface stack gap-1 routine", !enabled && "is-off"]}>
      <div class="row gap-2 can-shrink">
        <h3 class="grow break-words">{name}</h3>
        <button
          type="button"
          class="icon-button"
          disabled={busy.value}
          aria-label={say("Run {name} now", { name })}
          title={say("Run now")}
          onClick$={run}
        >
          <Icon name="play" />
        </button>
        <input
          class="switch"
          type="checkbox"
          role="switch"
          aria-label={say("Enable {name}", { name })}
          checked={enabled}
          aria-checked={enabled ? "true" : "false"}
          onChange$={(_, element) => toggle(element.checked)}
        />
        <MenuButton
          label={say("More for {name}", { name })}
          items={[
            { label: say("Edit…"), icon: "pencil", run: () => props.onEdit$() },
            {
              label: say("Delete"),
              icon: "trash",
              danger: true,
              run: () => remove("routines", props.item.id, props.item.name)
            }
          ]}
        />
      </div>
      <p class="row wrap gap-2 soft small">
        <span>{words}</span>
        <span>{zone}</span>
      </p>
      {first !== undefined && (
        <details class="small fold">
          <summary>{say("Next {time}", { time: momentText(first, zone, now) })}</summary>
          <ol class="plain-list stack gap-1 routine-times">
            {times.map((time) => (
              <li key={time}>{momentText(time, zone, now)}</li>
            ))}
          </ol>
        </details>
      )}
      {!enabled && <p class="soft small">{say("Paused")}</p>}
    </li>
  )
})

const TemplateRow = component$<RowProps<TaskTemplate>>((props) => {
  const remove = useRemove()
  const name = markUnseen(props.item.name, "prose")
  return (
    <li class="surface row gap-2 can-shrink routine">
      <h3 class="grow break-words">{name}</h3>
      <MenuButton
        label={say("More for {name}", { name })}
        items={[
          { label: say("Edit…"), icon: "pencil", run: () => props.onEdit$() },
          {
            label: say("Delete"),
            icon: "trash",
            danger: true,
            run: () => remove("templates", props.item.id, props.item.name)
          }
        ]}
      />
    </li>
  )
})

interface PatternListProps {
  readonly title: string
  /** Words of the button that adds one. */
  readonly add: string
  /** What they are for, while there are none. */
  readonly about: string | null
  readonly onAdd$: QRL<() => unknown>
}

/** Recurring cards or templates under their heading. */
const PatternList = component$<PatternListProps>((props) => (
  <section class="stack gap-2" aria-label={props.title}>
    <div class="row gap-2 space-between">
      <h2 class="small strong">{props.title}</h2>
      <button type="button" class="button is-small" onClick$={() => props.onAdd$()}>
        <Icon name="plus" />
        <span>{props.add}</span>
      </button>
    </div>
    {props.about !== null && <p class="soft small">{props.about}</p>}
    <ul class="plain-list stack gap-2">
      <Slot />
    </ul>
  </section>
))

/** Cards that come again, and what new cards can begin with, in one place. */
export const RecurringDialog = component$(() => {
  const app = useServices()
  const store = useConstant(() => routinesOf(app.client))
  const state = useReadable(store.state)
  const asked = useSignal<PatternAsked | null>(null)
  const close = $(() => app.router.navigate(boardPath(app)))
  const { hidden, problem, routines, templates } = state.value
  const edited = asked.value
  if (edited !== null)
    return (
      <PatternDialog
        key={edited.item?.id ?? "new"}
        asked={edited}
        onClose$={() => {
          asked.value = null
        }}
      />
    )
  return (
    <Dialog title={say("Recurring cards and templates")} onClose$={close}>
      <div class="stack gap-4 can-shrink">
        {problem !== null && (
          <ErrorState title={say("Couldn't load this.")} text={problem} onRetry$={() => store.refresh()} />
        )}
        {routines === null && problem === null && <LoadingState label={say("Loading…")} />}
        {routines !== null && (
          <PatternList
            title={say("Recurring cards")}
            add={say("New recurring card")}
            about={
              routines.length === 0
                ? say("A recurring card comes back by a schedule, such as every Monday at 9.")
                : null
            }
            onAdd$={() => {
              asked.value = { kind: "routine", item: null }
            }}
          >
            {routines
              .filter(({ id }) => !hidden.has(id))
              .map((item) => {
                const { id } = item
                return (
                  <RoutineRow
                    key={id}
                    item={item}
                    onEdit$={() => {
                      asked.value = { kind: "routine", item }
                    }}
                  />
                )
              })}
          </PatternList>
        )}
        {templates !== null && (
          <PatternList
            title={say("Templates")}
            add={say("New template")}
            about={
              templates.length === 0 ? say("New cards can begin with a template. Any card can be saved as one.") : null
            }
            onAdd$={() => {
              asked.value = { kind: "template", item: null }
            }}
          >
            {templates
              .filter(({ id }) => !hidden.has(id))
              .map((item) => {
                const { id } = item
                return (
                  <TemplateRow
                    key={id}
                    item={item}
                    onEdit$={() => {
                      asked.value = { kind: "template", item }
                    }}
                  />
                )
              })}
          </PatternList>
        )}
      </div>
    </Dialog>
  )
})
