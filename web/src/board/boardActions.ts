import { TASK_STATUSES, type TaskStatus } from "../../../src/contract/board.ts"
import type { SavedView } from "../../../src/contract/schema/savedView.ts"
import type { AppServices } from "../base/AppContext.ts"
import type { StepBody } from "../core/board/boardApi.ts"
import { actorText } from "../core/board/boardText.ts"
import { isRunning, type Task, type TaskChanges } from "../core/board/boardTypes.ts"
import { type CardSpot, spotsOf, undoChanges, undoMoves } from "../core/board/boardUndo.ts"
import { columnTitle, type Place } from "../core/board/columns.ts"
import { changedFields } from "../core/board/mergeTask.ts"
import { moveQuestion } from "../core/board/moveRules.ts"
import { viewBody, viewIdFrom, viewStateFrom, withView } from "../core/board/viewAddress.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say, sayCount } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"
import { boardPath, withSearch } from "./boardView.ts"
import { focusCard } from "./cardElements.ts"

/** Announces a sentence to screen readers; repeating the same one is still announced. */
export const announce = (ui: BoardUi, text: string): void => {
  ui.said.value = ui.said.value === text ? `${text}\u00a0` : text
}

const counted = (count: number): string => sayCount(count, "{count} card", "{count} cards")

const findAll = (ui: BoardUi, ids: ReadonlyArray<string>): ReadonlyArray<Task> =>
  ids.flatMap((id) => ui.store.find(id) ?? [])

/** How many cards each column has. */
const countsOf = (ui: BoardUi): Readonly<Record<TaskStatus, number>> => {
  const { columns } = ui.store.state.get()
  const counts = { backlog: 0, todo: 0, "in-progress": 0, review: 0, done: 0, cancelled: 0 }
  for (const status of TASK_STATUSES) counts[status] = columns[status].length
  return counts
}

/** Offers to undo what was done to cards; what can't be undone is said. */
export const offerUndo = (
  app: AppServices,
  ui: BoardUi,
  text: string,
  undo: () => Promise<ReadonlyArray<string>>
): void =>
  app.notices.offerUndo(text, async () => {
    const sentences = await undo()
    if (sentences.length === 0) announce(ui, say("Undone."))
    for (const sentence of sentences) app.notices.show("info", sentence)
  })

/**
 * Offers to put cards back where they were before they were moved to a column. `elsewhere` is the column to which
 * somebody else moved a single card while it was dragged.
 */
export const offerMoveUndo = (
  app: AppServices,
  ui: BoardUi,
  spots: ReadonlyArray<CardSpot>,
  status: TaskStatus,
  elsewhere: TaskStatus | null = null
): void => {
  const [first] = spots
  if (first === undefined) return
  const what = spots.length === 1 ? quotedTitle(first.title) : counted(spots.length)
  const title = columnTitle(ui.store.state.get().config, status)
  const within = spots.every((spot) => spot.status === status)
  const moved = within
    ? say("Moved {what} within {title}.", { what, title })
    : say("Moved {what} to {title}.", { what, title })
  const text =
    elsewhere === null
      ? moved
      : say("{moved} Someone else had moved it to {column} in the meantime.", {
          moved,
          column: columnTitle(ui.store.state.get().config, elsewhere)
        })
  offerUndo(app, ui, text, async () => {
    const sentences = await undoMoves(ui, spots, status)
    focusCard(ui, first.id)
    return sentences
  })
}

/** Moves cards, whatever the board's rules say; for `elsewhere` see `offerMoveUndo`. */
export const moveNow = async (
  app: AppServices,
  ui: BoardUi,
  ids: ReadonlyArray<string>,
  status: TaskStatus,
  place: Place,
  elsewhere: TaskStatus | null = null
): Promise<void> => {
  const tasks = findAll(ui, ids)
  const first = tasks[0]
  if (first === undefined) return app.notices.show("error", say("That card is no longer on the board."))
  const spots = spotsOf(
    ui.store.state.get().columns,
    tasks.map(({ id }) => id)
  )
  const moves = ui.actions.moveAll(
    tasks.map(({ id }) => id),
    status,
    place
  )
  const title = columnTitle(ui.store.state.get().config, status)
  const column = ui.store.state.get().columns[status]
  const at = column.findIndex(({ id }) => id === first.id) + 1
  if (tasks.length === 1) {
    const card = quotedTitle(first.title)
    announce(ui, say("{card} is in {title}, {at} of {count}.", { card, title, at, count: column.length }))
    focusCard(ui, first.id)
  } else
    announce(ui, sayCount(tasks.length, "{count} card moved to {title}.", "{count} cards moved to {title}.", { title }))
  const outcomes = await moves
  const moved = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.id] : []))
  offerMoveUndo(
    app,
    ui,
    spots.filter(({ id }) => moved.includes(id)),
    status,
    elsewhere
  )
  const bad = outcomes.find((outcome) => !outcome.ok)
  if (bad === undefined || bad.ok) return
  const text =
    tasks.length === 1
      ? say("Couldn't move {card}. {reason}", { card: quotedTitle(first.title), reason: bad.message })
      : bad.message
  if (bad.reason === "gone") return app.notices.show("info", text)
  app.notices.show("error", text, {
    label: bad.reason === "elsewhere" ? say("Move anyway") : say("Try again"),
    run: () => void moveNow(app, ui, ids, status, place)
  })
}

/** Moves cards if the board's rules allow it, otherwise asks; for `elsewhere` see `offerMoveUndo`. */
export const requestMove = (
  app: AppServices,
  ui: BoardUi,
  ids: ReadonlyArray<string>,
  status: TaskStatus,
  place: Place,
  elsewhere: TaskStatus | null = null
): void => {
  const { config } = ui.store.state.get()
  const counts = { ...countsOf(ui) }
  const tasks = findAll(ui, ids)
  for (const task of tasks) {
    const question = moveQuestion(task, status, config, counts)
    if (question !== null) {
      ui.asked.value = { ids, status, place, question, elsewhere }
      return
    }
    if (task.status !== status) counts[status]++
  }
  void moveNow(app, ui, ids, status, place, elsewhere)
}

/** Removes cards from the board and offers an undo; they are deleted when the offer expires. */
export const deleteCards = (app: AppServices, ui: BoardUi, ids: ReadonlyArray<string>): void => {
  const tasks = findAll(ui, ids)
  const first = tasks[0]
  if (first === undefined) return
  const removal = ui.actions.remove(tasks.map(({ id }) => id))
  clearSelection(ui)
  const what = tasks.length === 1 ? quotedTitle(first.title) : counted(tasks.length)
  announce(ui, say("{what} deleted.", { what }))
  app.notices.offerUndo(
    tasks.some(isRunning) ? say("Deleted {what}. Its agent was stopped.", { what }) : say("Deleted {what}.", { what }),
    () => {
      removal.undo()
      announce(ui, say("Restored {what}.", { what }))
      focusCard(ui, first.id)
    },
    async () => {
      const failure = await removal.commit()
      if (failure !== null) app.notices.show("error", say("Couldn't delete everything. {reason}", { reason: failure }))
    }
  )
}

/** Changes several cards in the same way and offers an undo; failures are reported once. */
export const patchCards = async (
  app: AppServices,
  ui: BoardUi,
  ids: ReadonlyArray<string>,
  changes: (task: Task) => TaskChanges
): Promise<void> => {
  const tasks = findAll(ui, ids)
  const outcomes = await Promise.all(tasks.map((task) => ui.actions.patch(task, changes(task))))
  const bad = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.message]))
  const saved = outcomes.flatMap((outcome) =>
    outcome.ok && changedFields(outcome.value.before).length > 0 ? [outcome.value] : []
  )
  if (saved.length > 0) {
    const text = sayCount(saved.length, "Changed {count} card.", "Changed {count} cards.")
    offerUndo(app, ui, text, () => undoChanges(ui.actions, saved))
  }
  const [reason] = bad
  if (reason === undefined)
    return announce(ui, sayCount(tasks.length, "{count} card changed.", "{count} cards changed."))
  const text = sayCount(
    tasks.length,
    "Couldn't change {failed} of {count} card. {reason}",
    "Couldn't change {failed} of {count} cards. {reason}",
    { failed: bad.length, reason }
  )
  app.notices.show("error", text)
}

/** Hands a card to its agent; asks first if it waits for something. */
export const runCard = async (app: AppServices, ui: BoardUi, task: Task, body: StepBody = {}): Promise<void> => {
  const done = await ui.actions.step(task.id, "execute", body)
  const card = quotedTitle(task.title)
  if (!done.ok && done.waitsFor !== null) {
    ui.blocked.value = { id: task.id, waitsFor: done.waitsFor }
    return
  }
  if (!done.ok) return app.notices.show("error", say("Couldn't start {card}. {reason}", { card, reason: done.message }))
  const agent = task.assignee?.startsWith("agent:") === true ? actorText(task.assignee) : null
  announce(
    ui,
    agent === null
      ? say("The agent is working on {card}.", { card })
      : say("{agent} is working on {card}.", { agent, card })
  )
}

/** Ends selecting several cards. */
export const clearSelection = (ui: BoardUi): void => {
  ui.selecting.value = false
  if (ui.selected.value.size > 0) ui.selected.value = new Set()
}

/** Selects or deselects a card. */
export const toggleSelected = (ui: BoardUi, id: string): void => {
  const next = new Set(ui.selected.value)
  if (!next.delete(id)) next.add(id)
  ui.selected.value = next
  ui.selecting.value = true
}

type App = Pick<AppServices, "router" | "notices">

/** Saves what is shown under a name; says why it couldn't. */
export const saveShown = async (app: App, ui: BoardUi, id: string, name: string): Promise<string | null> => {
  const { search } = app.router.location.get()
  const view = { id, ...viewBody(name, viewStateFrom(search)) }
  const done = await ui.views.save(view)
  if (!done.ok) return done.message
  app.router.navigate(boardPath(app), { replace: true })
  app.router.navigate(withSearch(app, withView(app.router.location.get().search, view)), { replace: true })
  announce(ui, say("Saved the view {name}.", { name }))
  return null
}

/** Gives a view another name; what it shows stays as it was saved. */
export const renameView = async (app: App, ui: BoardUi, view: SavedView, name: string): Promise<string | null> => {
  const done = await ui.views.save({ ...view, name })
  if (!done.ok) return done.message
  app.router.navigate(boardPath(app), { replace: true })
  return null
}

/** Deletes a view and offers to undo it; the cards stay as they are shown. */
export const deleteView = async (app: App, ui: BoardUi, view: SavedView): Promise<void> => {
  const done = await ui.views.remove(view.id)
  if (!done.ok) return app.notices.show("error", done.message)
  const { search } = app.router.location.get()
  if (viewIdFrom(search) === view.id) app.router.navigate(withSearch(app, withView(search, null)))
  app.notices.offerUndo(say("Deleted the view {name}.", { name: view.name }), async () => {
    const back = await ui.views.save(view)
    if (!back.ok) return app.notices.show("error", back.message)
    app.router.navigate(withSearch(app, withView(app.router.location.get().search, view)))
  })
}
