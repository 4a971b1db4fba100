import type { AppServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import type { MenuItem } from "../ui/MenuButton.tsx"

/** Stops what a session's agent is doing, and says so if that fails. */
export const stopSession = async (app: AppServices, key: string): Promise<void> => {
  const done = await app.client.sessions.stop(key)
  if (!done.ok) app.notices.show("error", done.message)
}

/** Removes a session from the list; it is permanently deleted when the offer to undo ends. */
export const deleteSession = (app: AppServices, row: Pick<SessionRow, "key" | "title">): void => {
  const { sessions } = app.client
  const wasOpen = sessions.activeKey.get() === row.key
  sessions.setHidden(row.key, true)
  app.notices.offerUndo(
    `“${row.title}” was deleted.`,
    () => {
      sessions.setHidden(row.key, false)
      if (wasOpen) sessions.select(row.key)
    },
    async () => {
      const done = await sessions.remove(row.key)
      if (!done.ok) app.notices.show("error", done.message)
    }
  )
}

/** What can be done with a session. */
export const sessionActions = (app: AppServices, row: SessionRow): ReadonlyArray<MenuItem> => [
  ...(row.state === "working" || row.state === "waiting"
    ? [{ label: "Stop", icon: "square" as const, run: () => stopSession(app, row.key) }]
    : []),
  {
    label: "Rename…",
    icon: "pencil",
    run: () => sessionRequest.set({ kind: "rename", key: row.key })
  },
  {
    label: "Clear…",
    icon: "rotate-ccw",
    run: () => sessionRequest.set({ kind: "reset", key: row.key })
  },
  {
    label: "Delete",
    icon: "trash",
    danger: true,
    // The gateway never deletes its main session.
    disabled: row.kind === "main",
    run: () => deleteSession(app, row)
  }
]
