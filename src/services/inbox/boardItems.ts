import { PRIMARY, qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { InboxResolution } from "../../contract/schema/inbox.ts"
import type { Proposal } from "../../contract/schema/proposal.ts"
import type { RunLink, Task } from "../../contract/schema/task.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { actionsOf, headline, UNKNOWN_ACTION } from "./inboxRules.ts"
import type { ItemDraft } from "./inboxTable.ts"

/** The qualified key of a run's session: the item belongs to the console, not to a gateway. */
const runKey = ({ gatewayId = PRIMARY, sessionKey }: RunLink): string => qualifiedKey(gatewayId, sessionKey)

const MAX_DETAIL = 2_000

const shortened = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim()
  if (trimmed === undefined || trimmed === "") return undefined
  return trimmed.length > MAX_DETAIL ? `${trimmed.slice(0, MAX_DETAIL - 1).trimEnd()}…` : trimmed
}

const offers = (kind: "proposal" | "review" | "failed") => actionsOf(kind).map(({ id }) => id)

/** The fields that a proposal would change, one per line. */
const changedFields = (changes: object): string =>
  Object.entries(changes)
    .filter(([name]) => name !== "id")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n")

/** The item for a pending proposal; `title` is that of the card it would change. */
export const proposalDraft = (gatewayId: string, proposal: Proposal, title: string | undefined): ItemDraft => {
  const isNew = proposal.type === "create"
  const { payload } = proposal
  return {
    gatewayId,
    origin: "proposal",
    source: proposal.id,
    kind: "proposal",
    title: headline(isNew ? `New card: ${payload.title}` : `Change “${title ?? "a card"}”`),
    ...optionalEntry(
      "detail",
      shortened(proposal.type === "create" ? (proposal.payload.description ?? undefined) : changedFields(payload))
    ),
    ...optionalEntry("sessionKey", proposal.sourceSessionKey),
    ...(proposal.type === "create" ? {} : { taskId: proposal.payload.id }),
    createdAt: proposal.proposedAt,
    offers: offers("proposal")
  }
}

/** The item for a card in review. */
export const reviewDraft = (gatewayId: string, task: Task): ItemDraft => ({
  gatewayId,
  origin: "review",
  source: `${task.id}@${task.version}`,
  kind: "review",
  title: headline(task.title),
  ...optionalEntry("detail", shortened(task.result)),
  ...optionalEntry("sessionKey", task.run && runKey(task.run)),
  taskId: task.id,
  createdAt: task.run?.endedAt ?? task.updatedAt,
  offers: offers("review")
})

/** The item for a card whose run failed. */
export const failedDraft = (gatewayId: string, task: Task, sessionKey: string): ItemDraft => ({
  gatewayId,
  origin: "run",
  source: sessionKey,
  kind: "failed",
  title: headline(task.title),
  ...optionalEntry("detail", shortened(task.run?.error)),
  ...optionalEntry("why", task.run?.why),
  sessionKey: task.run === undefined ? sessionKey : runKey(task.run),
  taskId: task.id,
  createdAt: task.run?.endedAt ?? task.updatedAt,
  offers: offers("failed")
})

/** The session of a card's failed run, if the card wasn't started again and doesn't start again by itself. */
export const failedRun = ({ autoStart, run, status }: Task): string | undefined =>
  run?.status === "error" && (status === "backlog" || (status === "todo" && !autoStart)) ? run.sessionKey : undefined

/** How a review ended outside the inbox; `undefined` while the card is in review. */
export const reviewEnd = (task: Task | undefined, at: number): InboxResolution | undefined => {
  if (task?.status === "review") return undefined
  const ends: Readonly<Record<string, string>> = { done: "approve", todo: "send-back" }
  return { action: ends[task?.status ?? ""] ?? UNKNOWN_ACTION, at, by: "console" }
}

/** How a failed run was handled outside the inbox; `undefined` while it wasn't. */
export const failureEnd = (task: Task | undefined, sessionKey: string, at: number): InboxResolution | undefined => {
  if (task !== undefined && failedRun(task) === sessionKey) return undefined
  const isRetried = task?.run !== undefined && (task.autoStart || task.run.sessionKey !== sessionKey)
  return { action: isRetried ? "retry" : "dismiss", at, by: "console" }
}

/** How a proposal was decided outside the inbox; `undefined` while it's pending. */
export const proposalEnd = ({ status, resolvedAt }: Proposal, now: number): InboxResolution | undefined =>
  status === "pending"
    ? undefined
    : { action: status === "approved" ? "approve" : "reject", at: resolvedAt ?? now, by: "console" }
