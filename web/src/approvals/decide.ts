import type { AppServices } from "../base/AppContext.ts"
import { chatPath, taskPath } from "../base/routes.ts"
import type { InboxDecision, InboxItem, InboxStore } from "../core/inbox/inboxTypes.ts"
import { canUndo, titleOf } from "../core/inbox/kindText.ts"
import { decisionText } from "../core/inbox/outcomeText.ts"
import { say, sayCount } from "../core/language/say.ts"
import { NOT_LOADED } from "../core/link/loadedPart.ts"

/** Where what an item is about can be seen: its card, or else its conversation. */
export const placeOf = ({ kind, sessionKey, taskId }: InboxItem): string | null => {
  const isAsked = kind === "approval" || kind === "question"
  if (taskId !== null && !isAsked) return taskPath(taskId)
  return sessionKey === null ? null : chatPath(sessionKey)
}

/** What a decision did, for the notice: "Approved “Fix the door”." or "Approved 3 items." */
const doneText = (items: ReadonlyArray<InboxItem>, action: string): string => {
  const [first] = items
  if (first === undefined) return ""
  const done = decisionText({ kind: first.kind, resolution: { action, at: 0, by: "console", answer: null } })
  return items.length === 1
    ? say("{decision}: “{title}”.", { decision: done, title: titleOf(first) })
    : sayCount(items.length, "{decision}: {count} item.", "{decision}: {count} items.", { decision: done })
}

const report = ({ notices }: Pick<AppServices, "notices">, messages: ReadonlyArray<string>): void => {
  const [first] = messages
  if (first === undefined) return
  const text =
    messages.length === 1
      ? first
      : sayCount(
          messages.length,
          "{count} item couldn't be decided. {problem}",
          "{count} items couldn't be decided. {problem}",
          { problem: first }
        )
  notices.show("error", text)
}

type Deciding = Pick<AppServices, "client" | "notices" | "router">

/** Says what a decision did, with the way to what goes on because of it. */
export const sayDecided = ({ notices, router }: Deciding, items: ReadonlyArray<InboxItem>, action: string): void => {
  const [first, ...others] = items
  const path = first === undefined || others.length > 0 ? null : placeOf(first)
  const text = doneText(items, action)
  if (path === null) notices.show("info", text)
  else notices.offer(text, { label: say("Open"), run: () => router.navigate(path) })
}

/** Starts the agent on a card that was sent back; why it couldn't, if so. */
const runAgain = async ({ client }: Deciding, taskId: string): Promise<ReadonlyArray<string>> => {
  const path = `/api/kanban/tasks/${encodeURIComponent(taskId)}/execute`
  const started = await client.api.request("POST", path, (): true => true, { body: {}, keepalive: true })
  return started.ok
    ? []
    : [say("Couldn't start {card}. {reason}", { card: say("Card"), reason: started.error.message })]
}

/**
 * Decides items: what keeps nobody waiting is only hidden while it can be undone, and decided after that; everything
 * else at once, and that is said where what goes on isn't in sight. Returns whether all of them are decided.
 */
export const decide = async (
  app: Deciding,
  items: ReadonlyArray<InboxItem>,
  decision: InboxDecision,
  { isSaid, runs }: { readonly isSaid: boolean; readonly runs?: string }
): Promise<boolean> => {
  const store: InboxStore | null = await app.client.inbox.load().catch(() => null)
  if (store === null) {
    report(app, [NOT_LOADED.message])
    return false
  }
  const { action } = decision
  const later = runs === undefined ? items.filter((item) => canUndo(item, action)) : []
  if (later.length > 0) {
    const { undo, commit } = store.defer(later, decision)
    app.notices.offerUndo(doneText(later, action), undo, () => void commit().then((failed) => report(app, failed)))
  }
  const now = items.filter((item) => !later.includes(item))
  const done = await Promise.all(now.map((item) => store.resolve(item, decision)))
  report(
    app,
    done.flatMap((one) => (one.ok ? [] : [one.message]))
  )
  const decided = now.filter((_, index) => done[index]?.ok === true)
  if (runs !== undefined && decided.length > 0) report(app, await runAgain(app, runs))
  if (isSaid && decided.length > 0) sayDecided(app, decided, action)
  return decided.length === now.length
}
