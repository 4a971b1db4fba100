import type { AppServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { knowledgeOfSession } from "../base/routes.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { say } from "../core/language/say.ts"
import type { MarkChange } from "../core/sessions/MarksStore.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import type { MenuItem } from "../ui/Menu.tsx"
import { moveFocus } from "./moveFocus.ts"
import { allowReorder } from "./reorderWindow.ts"
import { saveSession } from "./saveSession.ts"

type Named = Pick<SessionRow, "key" | "title">

/** Stops what a session's agent is doing, and says so if that fails. */
const stopSession = async (app: AppServices, key: string): Promise<void> => {
  const done = await app.client.sessions.stop(key)
  if (!done.ok) app.notices.show("error", done.message)
}

/** Removes a session from the list; it is permanently deleted when the offer to undo ends. */
export const deleteSession = (app: AppServices, row: Named): void => {
  const { sessions } = app.client
  const wasOpen = sessions.activeKey.get() === row.key
  allowReorder()
  sessions.setHidden(row.key, true)
  app.notices.offerUndo(
    say("“{session}” was deleted.", { session: row.title }),
    () => {
      allowReorder()
      sessions.setHidden(row.key, false)
      if (wasOpen) sessions.select(row.key)
    },
    async () => {
      const done = await sessions.remove(row.key)
      if (!done.ok) app.notices.show("error", done.message)
    }
  )
}

/** Pins, archives or groups a session on all devices, and says so if that fails. */
export const markSession = async (app: AppServices, key: string, change: MarkChange): Promise<boolean> => {
  allowReorder()
  const done = await app.client.sessions.mark(key, change)
  if (!done.ok) app.notices.show("error", done.message)
  return done.ok
}

/** Whether a session has a place of its own in the list: main conversations and helpers stay where they are. */
const mayBeMarked = ({ kind }: Pick<SessionRow, "kind">): boolean => kind !== "main" && kind !== "subagent"

/** Pins a session, or takes it off the top. */
const togglePin = (app: AppServices, row: Pick<SessionRow, "key" | "pinned">): Promise<boolean> =>
  markSession(app, row.key, { pinned: !row.pinned })

/** Puts a session away, or brings it back; who opened it stays there. */
const toggleArchived = async (app: AppServices, row: Named & Pick<SessionRow, "archived">): Promise<void> => {
  if (row.archived) {
    await markSession(app, row.key, { archivedAt: null })
    return
  }
  if (!(await markSession(app, row.key, { archivedAt: app.client.sessions.gatewayNow() }))) return
  app.notices.offerUndo(
    say("“{session}” was archived.", { session: row.title }),
    () => void markSession(app, row.key, { archivedAt: null }),
    () => {}
  )
}

/** Asks for a session's limit; the code for that isn't part of the first screen. */
const limitSession = async (app: AppServices, key: string): Promise<void> => {
  const part = await import("../budgets/SessionHolds.tsx").catch(() => null)
  if (part === null) app.notices.show("error", say("Couldn't load this. Check the connection and try again."))
  else part.askSessionLimit(app, key)
}

/** What can be done with a session, wherever its menu opens; the list may not have it yet. */
export const sessionActions = (app: AppServices, key: string): ReadonlyArray<MenuItem> => {
  const row = app.client.sessions.find(key)
  return [
    ...(row?.state === "working" || row?.state === "waiting"
      ? [{ label: say("Stop"), icon: "square" as const, run: () => stopSession(app, key) }]
      : []),
    ...(row !== null && mayBeMarked(row) ? markActions(app, row) : []),
    { label: say("Rename…"), icon: "pencil", run: () => sessionRequest.set({ kind: "rename", key }) },
    { label: say("Limit…"), icon: "chart", run: () => limitSession(app, key) },
    { label: say("Knowledge"), icon: "brain", run: () => app.router.navigate(knowledgeOfSession(key)) },
    { label: say("Save as Markdown"), icon: "file", run: () => saveSession(app, key) },
    { label: say("Removed messages"), icon: "clock", run: () => sessionRequest.set({ kind: "removed", key }) },
    { label: say("Clear…"), icon: "rotate-ccw", run: () => sessionRequest.set({ kind: "reset", key }) },
    // The gateway never deletes its main session.
    ...(row === null || row.kind === "main"
      ? []
      : [{ label: say("Delete"), icon: "trash" as const, danger: true, run: () => deleteSession(app, row) }])
  ]
}

const markActions = (app: AppServices, row: SessionRow): ReadonlyArray<MenuItem> => [
  { label: row.pinned ? say("Unpin") : say("Pin"), icon: "pin", run: () => togglePin(app, row) },
  {
    label: say("Move to group…"),
    icon: "menu",
    run: () => sessionRequest.set({ kind: "group", key: row.key })
  },
  {
    label: row.archived ? say("Bring back") : say("Archive"),
    icon: "archive",
    run: () => toggleArchived(app, row)
  }
]

/** Runs the action of a key on the session whose link in the list has the focus. */
export const actByKey = (
  app: AppServices,
  list: HTMLElement,
  link: HTMLElement,
  row: SessionRow,
  name: string
): void => {
  const { key } = row
  const toNeighbour = () => moveFocus(list, new KeyboardEvent("keydown", { key: "ArrowUp" }), link)
  if (name === "F2") sessionRequest.set({ kind: "rename", key })
  if (name === "Delete" && row.kind !== "main") {
    toNeighbour()
    deleteSession(app, row)
  }
  if (!mayBeMarked(row)) return
  if (name === "m") sessionRequest.set({ kind: "group", key })
  if (name === "e") {
    toNeighbour()
    void toggleArchived(app, row)
  }
  if (name === "p") {
    void togglePin(app, row)
    // It moves to its new place, which takes the focus from it.
    afterFrames(3, () => list.querySelector<HTMLElement>(`a[data-session="${CSS.escape(key)}"]`)?.focus())
  }
}
