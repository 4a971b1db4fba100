import type { InboxItem } from "./inboxTypes.ts"

/** The list entries a key stands for: a scheduled run is shown with its job. */
export const shownKeys = (key: string | null): ReadonlyArray<string> => {
  if (key === null) return []
  const job = /^(.*:cron:[^:]+):run:/.exec(key)?.[1]
  return job === undefined ? [key] : [key, job]
}

/** The sessions whose agent can't go on without a person's answer. */
export const waitingKeys = ({ kind, sessionKey }: InboxItem): ReadonlyArray<string> =>
  kind === "approval" || kind === "question" ? shownKeys(sessionKey) : []

/** Whether a session's agent, or that of one of its runs, is waiting for this. */
export const isOf = (item: InboxItem, sessionKey: string): boolean => waitingKeys(item).includes(sessionKey)
