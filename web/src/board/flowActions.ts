import type { AppServices } from "../base/AppContext.ts"
import type { Task, TaskChanges } from "../core/board/boardTypes.ts"
import { undoChanges } from "../core/board/boardUndo.ts"
import { changedFields } from "../core/board/mergeTask.ts"
import { routinesOf } from "../core/board/RoutinesStore.ts"
import { patternName, patternOfCard } from "../core/board/taskPattern.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"
import { announce, offerUndo } from "./boardActions.ts"
import { focusCard } from "./cardElements.ts"

/** Changes one card's links and offers an undo. */
const relink = async (
  app: AppServices,
  ui: BoardUi,
  task: Task,
  changes: TaskChanges,
  text: string
): Promise<boolean> => {
  const done = await ui.actions.patch(task, changes)
  if (!done.ok) {
    const card = quotedTitle(task.title)
    app.notices.show("error", say("Couldn't link {card}. {reason}", { card, reason: done.message }))
    return false
  }
  announce(ui, text)
  if (changedFields(done.value.before).length > 0) offerUndo(app, ui, text, () => undoChanges(ui.actions, [done.value]))
  focusCard(ui, task.id)
  return true
}

/** Lets a card wait for another one. */
export const startAfter = async (app: AppServices, ui: BoardUi, id: string, firstId: string): Promise<boolean> => {
  const [task, first] = [ui.store.find(id), ui.store.find(firstId)]
  if (task === null || first === null || id === firstId) return false
  const words = { card: quotedTitle(task.title), first: quotedTitle(first.title) }
  if (task.after.includes(firstId)) {
    app.notices.show("info", say("{card} already starts after {first}.", words))
    return true
  }
  return relink(app, ui, task, { after: [...task.after, firstId] }, say("{card} starts after {first}.", words))
}

/** Makes a card a part of another one. */
export const makePartOf = async (app: AppServices, ui: BoardUi, id: string, parentId: string): Promise<boolean> => {
  const [task, parent] = [ui.store.find(id), ui.store.find(parentId)]
  if (task === null || parent === null) return false
  const words = { card: quotedTitle(task.title), parent: quotedTitle(parent.title) }
  return relink(app, ui, task, { parentId }, say("{card} is a part of {parent}.", words))
}

/** Removes every card that a card waits for. */
export const startAfterNothing = async (app: AppServices, ui: BoardUi, id: string): Promise<boolean> => {
  const task = ui.store.find(id)
  if (task === null) return false
  return relink(app, ui, task, { after: [] }, say("{card} waits for no other card.", { card: quotedTitle(task.title) }))
}

/** Keeps what a card says as a template, named by its title. */
export const saveAsTemplate = async (app: AppServices, task: Task): Promise<void> => {
  const store = routinesOf(app.client)
  const saved = await store.saveTemplate(null, { name: patternName(task.title), task: patternOfCard(task) })
  if (!saved.ok) return app.notices.show("error", saved.message)
  app.notices.offerUndo(say("Saved the template {name}.", { name: quotedTitle(saved.value.name) }), async () => {
    const gone = await store.remove("templates", saved.value.id)
    if (!gone.ok) app.notices.show("error", gone.message)
  })
}
