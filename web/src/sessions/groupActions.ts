import type { AppServices } from "../base/AppContext.ts"
import { retryAfterFrames } from "../base/afterFrames.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { say } from "../core/language/say.ts"
import type { SessionRow, SessionsStore } from "../core/sessions/sessionTypes.ts"
import type { MenuItem } from "../ui/Menu.tsx"
import { allowReorder } from "./reorderWindow.ts"
import { filterOf, type SessionFilter } from "./sessionEntries.ts"

type Reading = Pick<SessionsStore, "state" | "readMore">

/** Reads older sessions until there are enough, or no more. */
const readUntil = async (sessions: Reading, isEnough: (rows: ReadonlyArray<SessionRow>) => boolean): Promise<void> => {
  for (;;) {
    const { hasMore, rows } = sessions.state.get()
    if (!hasMore || isEnough(rows)) return
    await sessions.readMore()
    // A gateway that says there are more, and gives none, is asked once.
    if (sessions.state.get().rows.length <= rows.length) return
  }
}

/** Reads older sessions until there is one of this kind. */
export const readKind = (sessions: Reading, kind: SessionFilter): Promise<void> =>
  readUntil(sessions, (rows) => rows.some((row) => filterOf(row.kind) === kind))

/** Characters of a group's name. */
export const MAX_GROUP = 60

type Needed = "state" | "readMore" | "mark" | "refresh" | "wantsArchived" | "setWantsArchived"

type Groups = Pick<AppServices, "notices"> & { readonly client: { readonly sessions: Pick<SessionsStore, Needed> } }

/** The names of all groups, in order. */
export const groupNames = ({ client: { sessions } }: Groups): ReadonlyArray<string> => {
  const { archived, rows } = sessions.state.get()
  return [...new Set([...rows, ...archived].flatMap(({ group }) => group ?? []))].sort((a, b) => a.localeCompare(b))
}

const putInto = async (app: Groups, keys: ReadonlyArray<string>, group: string | null): Promise<void> => {
  allowReorder()
  const done = await Promise.all(keys.map((key) => app.client.sessions.mark(key, { group })))
  const failed = done.find(({ ok }) => !ok)
  if (failed?.ok === false) app.notices.show("error", failed.message)
}

/** The sessions of a group, however old they are, and those put away. */
const keysIn = async ({ client: { sessions } }: Groups, group: string): Promise<ReadonlyArray<string>> => {
  const wanted = sessions.wantsArchived.get()
  if (!wanted) {
    sessions.setWantsArchived(true)
    await sessions.refresh()
  }
  await readUntil(sessions, () => false)
  const { archived, rows } = sessions.state.get()
  sessions.setWantsArchived(wanted)
  return [...rows, ...archived].filter((row) => row.group === group).map(({ key }) => key)
}

/** Gives a group another name, for all of its sessions; they join the group that has it, if there is one. */
export const renameGroup = async (app: Groups, group: string, name: string): Promise<void> =>
  putInto(app, await keysIn(app, group), name)

/** Takes all sessions out of a group, which ends it; that can be undone for a few seconds. */
export const endGroup = async (app: Groups, group: string): Promise<void> => {
  const keys = await keysIn(app, group)
  await putInto(app, keys, null)
  app.notices.offerUndo(say("The group “{group}” was ungrouped.", { group }), () => void putInto(app, keys, group))
}

/** Focuses a group's heading once it's drawn, if the focus was lost with what it was on. */
export const focusGroup = (group: string): void =>
  retryAfterFrames(2, 20, () => {
    const button = document.querySelector<HTMLElement>(`[data-group-menu="${CSS.escape(group)}"]`)
    if (document.activeElement === document.body) button?.focus()
    return button !== null
  })

/** What can be done with a group. */
export const groupActions = (app: AppServices, group: string): ReadonlyArray<MenuItem> => [
  { label: say("Rename group…"), icon: "pencil", run: () => sessionRequest.set({ kind: "groupName", group }) },
  { label: say("Ungroup"), icon: "x", run: () => endGroup(app, group) }
]
