import type { AppServices } from "../app/ConsoleContext.ts"
import { actorText, columnTitle } from "../core/board/boardText.ts"
import { isRunning, TASK_STATUSES, type Task, type TaskChanges, type TaskStatus } from "../core/board/boardTypes.ts"
import type { Place } from "../core/board/columnOrder.ts"
import { moveQuestion } from "../core/board/moveRules.ts"
import type { BoardUi } from "./BoardContext.ts"
import { focusCard } from "./focusCard.ts"

/** Reads a sentence out; the same one twice is still heard. */
export const announce = (ui: BoardUi, text: string): void => {
  ui.said.value = ui.said.value === text ? `${text}\u00a0` : text
}

const quoted = (title: string): string => `“${title.length > 60 ? `${title.slice(0, 60)}…` : title}”`

const counted = (count: number): string => (count === 1 ? "1 card" : `${count} cards`)

const findAll = (ui: BoardUi, ids: ReadonlyArray<string>): ReadonlyArray<Task> =>
  ids.flatMap((id) => ui.store.find(id) ?? [])

/** How many cards each column holds. */
const countsOf = (ui: BoardUi): Readonly<Record<TaskStatus, number>> => {
  const { columns } = ui.store.state.get()
  const counts = { backlog: 0, todo: 0, "in-progress": 0, review: 0, done: 0, cancelled: 0 }
  for (const status of TASK_STATUSES) counts[status] = columns[status].length
  return counts
}

/** Moves cards, whatever the board's rules say about it. */
export const moveNow = async (
  app: AppServices,
  ui: BoardUi,
  ids: ReadonlyArray<string>,
  status: TaskStatus,
  place: Place
): Promise<void> => {
  const tasks = findAll(ui, ids)
  const first = tasks[0]
  if (first === undefined) return app.notices.show("error", "That card is not on the board any more.")
  const moves = ui.actions.moveAll(
    tasks.map(({ id }) => id),
    status,
    place
  )
  const title = columnTitle(ui.store.state.get().config, status)
  const column = ui.store.state.get().columns[status]
  const at = column.findIndex(({ id }) => id === first.id) + 1
  if (tasks.length === 1) {
    announce(ui, `${quoted(first.title)} is in ${title}, place ${at} of ${column.length}.`)
    focusCard(first.id)
  } else announce(ui, `${counted(tasks.length)} moved to ${title}.`)
  const outcomes = await moves
  const bad = outcomes.find((outcome) => !outcome.ok)
  if (bad === undefined || bad.ok) return
  const text = tasks.length === 1 ? `${quoted(first.title)} was not moved. ${bad.message}` : bad.message
  if (bad.reason === "gone") return app.notices.show("info", text)
  app.notices.show("error", text, {
    label: bad.reason === "elsewhere" ? "Move it anyway" : "Try again",
    run: () => void moveNow(app, ui, ids, status, place)
  })
}

/** Moves cards where the board's rules allow it, else asks (D41). */
export const requestMove = (
  app: AppServices,
  ui: BoardUi,
  ids: ReadonlyArray<string>,
  status: TaskStatus,
  place: Place
): void => {
  const { config } = ui.store.state.get()
  const counts = { ...countsOf(ui) }
  const tasks = findAll(ui, ids)
  for (const task of tasks) {
    const question = moveQuestion(task, status, config, counts)
    if (question !== null) {
      ui.asked.value = { ids, status, place, question }
      return
    }
    if (task.status !== status) counts[status]++
  }
  void moveNow(app, ui, ids, status, place)
}

/** Takes cards off the board and offers to bring them back; they are deleted when nobody wants them back. */
export const deleteCards = (app: AppServices, ui: BoardUi, ids: ReadonlyArray<string>): void => {
  const tasks = findAll(ui, ids)
  const first = tasks[0]
  if (first === undefined) return
  const removal = ui.actions.remove(tasks.map(({ id }) => id))
  clearSelection(ui)
  const what = tasks.length === 1 ? quoted(first.title) : counted(tasks.length)
  const stopped = tasks.some(isRunning) ? " Its agent is stopped with it." : ""
  announce(ui, `${what} deleted.`)
  app.notices.offerUndo(
    `Deleted ${what}.${stopped}`,
    () => {
      removal.undo()
      announce(ui, `${what} is back.`)
      focusCard(first.id)
    },
    async () => {
      const failure = await removal.commit()
      if (failure !== null) app.notices.show("error", `Not everything was deleted. ${failure}`)
    }
  )
}

/** Changes several cards in the same way; what fails is said once. */
export const patchCards = async (
  app: AppServices,
  ui: BoardUi,
  ids: ReadonlyArray<string>,
  changes: (task: Task) => TaskChanges
): Promise<void> => {
  const tasks = findAll(ui, ids)
  const outcomes = await Promise.all(tasks.map((task) => ui.actions.patch(task, changes(task))))
  const bad = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.message]))
  if (bad[0] === undefined) announce(ui, `${counted(tasks.length)} changed.`)
  else app.notices.show("error", `${bad.length} of ${counted(tasks.length)} were not changed. ${bad[0]}`)
}

/** Hands a card to its agent. */
export const runCard = async (app: AppServices, ui: BoardUi, task: Task): Promise<void> => {
  const done = await ui.actions.step(task.id, "execute")
  if (!done.ok) return app.notices.show("error", `${quoted(task.title)} was not started. ${done.message}`)
  const agent = task.assignee?.startsWith("agent:") === true ? actorText(task.assignee) : "The agent"
  announce(ui, `${agent} works on ${quoted(task.title)}.`)
}

/** Ends choosing several cards. */
export const clearSelection = (ui: BoardUi): void => {
  ui.selecting.value = false
  if (ui.selected.value.size > 0) ui.selected.value = new Set()
}

/** Chooses a card, or no longer. */
export const toggleSelected = (ui: BoardUi, id: string): void => {
  const next = new Set(ui.selected.value)
  if (!next.delete(id)) next.add(id)
  ui.selected.value = next
  ui.selecting.value = true
}
