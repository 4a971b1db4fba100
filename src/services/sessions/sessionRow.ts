import { keyParts, qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { SessionRow } from "../../contract/schema/sessionRow.ts"
import { givenTitle, previewOf } from "../../contract/sessionTitle.ts"
import type { ListedSession } from "../gateway/sessions/listedSession.ts"

type Facts = Omit<ListedSession, "key">

/** What a person made of a session, where the console keeps it. */
export interface KeptMark {
  readonly pinned: boolean
  readonly archivedAt: number | null
  readonly group: string | null
}

/** What the console knows of a session besides the gateway's row. */
export interface KnownOfSession {
  readonly gatewayId: string
  /** The gateway's main session. */
  readonly mainKey: string
  /** A response runs in it, by what was heard and looked up. */
  readonly isBusy: boolean
  /** A person has seen everything up to this gateway time. */
  readonly seenAt: number
  /** Someone has to approve or answer something. */
  readonly isWaiting: boolean
  /** When its newest request that nobody allowed was made, in the gateway's time. */
  readonly deniedAt: number | undefined
  /** The first words of the conversation, if they were heard or looked up. */
  readonly firstWords: string | undefined
  readonly mark: KeptMark | undefined
}

const filled = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && text.trim() !== "" ? text : undefined

/** Keys are `agent:<agentId>:<rest>`; anything else counts as the rest. */
const partsOf = (key: string): { readonly agentId: string; readonly rest: string } => {
  const match = /^agent:([^:]*):(.*)$/s.exec(key)
  return { agentId: match?.[1] || "main", rest: match?.[2] ?? key }
}

const kindOf = (row: ListedSession, mainKey: string): SessionRow["kind"] => {
  const { rest } = partsOf(row.key)
  if (row.key === mainKey || rest === "main") return "main"
  if (rest.startsWith("subagent:") || rest.includes(":subagent:")) return "subagent"
  if (rest.startsWith("cron:")) return "cron"
  if (row.kind === "group" || /:(?:group|channel):/.test(rest)) return "group"
  return row.kind === "global" || row.kind === "unknown" ? "other" : "direct"
}

/** Whether the console gave a session its name, for a run of a card. */
const isOfCard = (key: string): boolean => partsOf(key).rest.startsWith("task-")

/** What keeps the names of a card's runs apart at the gateway. */
const RUN_NUMBER = / \([0-9a-f]{8}-(\d+)\)$/
const attempt = (_: string, number: string): string => (number === "1" ? "" : ` (${number})`)

const nameOf = ({ key, label }: ListedSession): string | undefined => {
  const name = filled(label)
  return name !== undefined && isOfCard(key) ? name.replace(RUN_NUMBER, attempt) : name
}

/** What a gateway made of the first words, or calls a chat of another program by. */
const givenTitleOf = ({ derivedTitle, displayName, key, label }: ListedSession): string | undefined => {
  const derived = givenTitle(derivedTitle)
  // Gateways repeat a name that a person gave.
  if (derived !== null && derived !== label) return derived
  const display = givenTitle(displayName)
  return display === null || display === label || /^[\w-]+:g-/.test(display) || key.endsWith(display)
    ? undefined
    : display
}

/** Whether only its first words can name a session, and nothing does yet. */
export const lacksTitle = (row: ListedSession, mainKey: string): boolean => {
  const kind = kindOf(row, mainKey)
  const isNamedByWords = kind === "direct" || kind === "group" || kind === "other"
  return isNamedByWords && nameOf(row) === undefined && givenTitleOf(row) === undefined
}

/** Whether a conversation has begun that only its first words can name. */
export const isUntitled = (row: ListedSession, mainKey: string): boolean =>
  lacksTitle(row, mainKey) && (filled(row.status) !== undefined || filled(row.lastMessagePreview) !== undefined)

/**
 * The session whose run began this one, otherwise the job of a scheduled run. Older gateways also name the main
 * session as the parent of those that people create.
 */
export const parentOf = (row: ListedSession): string | undefined => {
  const isSpawned = (row.spawnDepth ?? 0) > 0 || row.classification === "subagent" || row.key.includes(":subagent:")
  const named = filled(row.spawnedBy) ?? (isSpawned ? filled(row.parentSessionKey) : undefined)
  if (named !== undefined && named !== row.key) return named
  return /^(.*:cron:[^:]+):run:/.exec(row.key)?.[1]
}

const isFailed = ({ status }: Facts): boolean => status === "failed" || status === "timeout"

/** When the last run ended. */
export const endOf = (row: Facts): number | undefined =>
  row.endedAt ?? (isFailed(row) ? (row.updatedAt ?? undefined) : undefined)

/** Newer gateways say what runs; an older one's list has stopped and lost runs as running, so both have to agree. */
const isRunning = ({ hasActiveRun, status }: Facts, isBusy: boolean): boolean =>
  typeof hasActiveRun === "boolean" ? hasActiveRun : isBusy && (status ?? "running") === "running"

/** When something last happened. Newer gateways also count changes of marks as an update. */
const activeAt = (row: Facts): number =>
  Math.max(row.lastActivityAt ?? 0, row.lastInteractionAt ?? 0) || (row.updatedAt ?? row.createdAt ?? 0)

/** As its gateway keeps it, or as the console does; there, a run that began after a session was archived brings it back. */
const marksOf = (row: Facts, mark: KeptMark | undefined): Pick<SessionRow, "pinned" | "archived"> => {
  const archivedAt = mark?.archivedAt ?? null
  const archived = row.archived === true || (archivedAt !== null && (row.startedAt ?? 0) <= archivedAt)
  return { archived, pinned: !archived && (row.pinned === true || mark?.pinned === true) }
}

interface Standing {
  readonly isWaiting: boolean
  readonly isDenied: boolean
  readonly isRunning: boolean
  readonly isFailed: boolean
  /** It has ended, and nobody has seen that. */
  readonly isNews: boolean
  readonly isUnread: boolean
}

/** The first that holds. */
const stateOf = (standing: Standing): SessionRow["state"] => {
  if (standing.isWaiting) return "waiting"
  if (standing.isDenied && (standing.isRunning || standing.isNews)) return "denied"
  if (standing.isRunning) return "working"
  if (standing.isFailed && standing.isNews) return "error"
  return standing.isUnread ? "unread" : "idle"
}

/** The fields that have a value. */
const present = <A extends object>(
  fields: {
    readonly [Name in keyof A]?: A[Name] | null | undefined
  }
): Partial<A> => {
  const found: Partial<A> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null) found[name] = value
  }
  return found
}

/** A session as the console shows it. */
export const sessionRow = (row: ListedSession, known: KnownOfSession): SessionRow => {
  const { gatewayId, mainKey, mark, seenAt } = known
  const kind = kindOf(row, mainKey)
  const running = isRunning(row, known.isBusy)
  const endedAt = endOf(row)
  const parent = parentOf(row)
  const isNews = !running && endedAt !== undefined && endedAt > seenAt
  const failed = !running && isFailed(row)
  const denied = known.deniedAt !== undefined && known.deniedAt >= (row.startedAt ?? 0)
  const unread = isNews && kind !== "subagent"
  return {
    key: qualifiedKey(gatewayId, row.key),
    gatewayId,
    agentId: partsOf(row.key).agentId,
    kind,
    state: stateOf({
      isWaiting: known.isWaiting,
      isDenied: denied,
      isRunning: running,
      isFailed: failed,
      isNews,
      isUnread: unread
    }),
    running,
    failed,
    denied,
    unread,
    ...marksOf(row, mark),
    updatedAt: activeAt(row),
    thinkingLevels: (row.thinkingLevels ?? []).map(({ id, label }) => ({ id, label: filled(label) ?? id })),
    ...present<SessionRow>({
      sessionId: filled(row.sessionId),
      name: nameOf(row),
      title: givenTitleOf(row) ?? known.firstWords,
      preview: previewOf(row.lastMessagePreview),
      parentKey: parent === undefined ? undefined : qualifiedKey(gatewayId, parent),
      group: filled(row.category) ?? mark?.group,
      startedAt: row.startedAt,
      endedAt,
      model: filled(row.model),
      provider: filled(row.modelProvider),
      thinking: filled(row.thinkingLevel),
      // What is left of an earlier turn says nothing of this one, and may be more than there is room for.
      tokens: row.totalTokensFresh === false ? undefined : row.totalTokens,
      context: row.contextTokens,
      cost: row.estimatedCostUsd
    })
  }
}

/** A job's session also stands for its runs, whose requests it shows. */
export const shownKeys = (qualified: string): ReadonlyArray<string> => {
  const { gatewayId, key } = keyParts(qualified)
  const job = /^(.*:cron:[^:]+):run:/.exec(key)?.[1]
  return job === undefined ? [qualified] : [qualified, qualifiedKey(gatewayId, job)]
}
