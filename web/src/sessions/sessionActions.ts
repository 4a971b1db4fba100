import type { AppServices } from "../app/ConsoleContext.ts"
import type { SessionRow } from "../core/chatTypes.ts"
import type { MenuItem } from "../ui/MenuButton.tsx"
import { sessionRequest } from "./sessionRequest.ts"

/** Stops what a session's agent does, and says so when that did not work. */
export const stopSession = async (app: AppServices, key: string): Promise<void> => {
  const done = await app.console.sessions.stop(key)
  if (!done.ok) app.notices.show("error", done.message)
}

/** Takes a session off the list; it is deleted for good when the offer to undo ends. */
export const deleteSession = (app: AppServices, row: Pick<SessionRow, "key" | "title">): void => {
  const { sessions } = app.console
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
    label: "Empty…",
    icon: "rotate-ccw",
    run: () => sessionRequest.set({ kind: "reset", key: row.key })
  },
  {
    label: "Delete",
    icon: "trash",
    danger: true,
    // The gateway never gives its main session up.
    disabled: row.kind === "main",
    run: () => deleteSession(app, row)
  }
]
