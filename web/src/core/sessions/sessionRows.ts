import {
  type Fields,
  fieldsOf,
  filledText,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf
} from "../../../../src/contract/looseFields.ts"
import { givenTitle, previewOf } from "../../../../src/contract/sessionTitle.ts"
import { say } from "../language/say.ts"
import type { SessionMark } from "./SessionMarks.ts"
import { endOf, isFailed } from "./SessionMarks.ts"
import type { SessionKind, SessionNode, SessionRow, SessionState } from "./sessionTypes.ts"

/** What this browser knows about a session besides the gateway's row. */
export interface SessionFacts {
  /** A person has seen everything up to this gateway time. */
  readonly seenAt: number
  /**
   * A run claimed by the row is known to exist; one gateway generation lists stopped and lost ones as running
   * forever.
   */
  readonly isRunBelieved: boolean
  /** Someone has to approve or answer something; null while that isn't known. */
  readonly waiting: boolean | null
  /** When the session's newest request that nobody allowed was made, in the gateway's time; null if there is none. */
  readonly deniedAt: number | null
  /** The first words of the conversation, if they were heard or looked up. */
  readonly firstWords: string | null
  /** What the console keeps of it, and what this page is changing. */
  readonly mark: Pick<SessionMark, "pinned" | "archivedAt" | "group" | "changing">
}

/** Keys are `agent:<agentId>:<rest>`, those of added gateways after `@<gateway>:`; anything else counts as the rest. */
function keyParts(key: string): { readonly agentId: string; readonly rest: string } {
  const match = /^(?:@[^:]*:)?agent:([^:]*):(.*)$/s.exec(key)
  return { agentId: match?.[1] || "main", rest: match?.[2] ?? key }
}

/** The agent the session belongs to. */
export const agentOfKey = (key: string): string => keyParts(key).agentId

function kindOf(key: string, mainKey: string): SessionKind {
  const { rest } = keyParts(key)
  if (key === mainKey || rest === "main") return "main"
  if (rest.startsWith("subagent:")) return "subagent"
  if (rest.startsWith("cron:")) return "cron"
  return rest.startsWith("task-") ? "task" : "chat"
}

const FALLBACK_TITLES: Readonly<Record<SessionKind, string>> = {
  main: say("Main"),
  chat: say("New session"),
  subagent: say("Sub-agent"),
  cron: say("Scheduled run"),
  task: say("Card")
}

/** What keeps the names of a card's runs apart at the gateway. */
const RUN_NUMBER = / \([0-9a-f]{8}-(\d+)\)$/
const attempt = (_: string, number: string): string => (number === "1" ? "" : ` (${number})`)

/** A session's name given by a person, its gateway or its key; null if it is named after its first words. */
function nameOf(fields: Fields, key: string, kind: SessionKind): string | null {
  const label = filledText(fields.label)
  if (label !== null) return kind === "task" ? label.replace(RUN_NUMBER, attempt) : label
  if (kind === "main") return FALLBACK_TITLES.main
  const derived = givenTitle(fields.derivedTitle)
  if (derived !== null) return derived
  const display = givenTitle(fields.displayName)
  if (display !== null && !/^[\w-]+:g-/.test(display) && !key.endsWith(display)) return display
  const { rest } = keyParts(key)
  return kind === "chat" && !/[0-9a-f]{8}-[0-9a-f]{4}-/.test(rest) ? rest : null
}

/** The name of a session without a gateway row, such as one just created or deleted. */
export function titleOfKey(key: string): string {
  const kind = kindOf(key, "agent:main:main")
  return nameOf({}, key, kind) ?? FALLBACK_TITLES[kind]
}

/** Whether a conversation has begun that only its first words can name. */
export const isUntitled = (fields: Fields, key: string, mainKey: string): boolean =>
  kindOf(key, mainKey) === "chat" &&
  nameOf(fields, key, "chat") === null &&
  (filledText(fields.status) !== null || filledText(fields.lastMessagePreview) !== null)

/**
 * The session whose run spawned this one, otherwise the job of a scheduled run. One gateway generation also names the
 * main session as the parent of those that people create.
 */
export function parentOf(fields: Fields, key: string): string | null {
  const isSpawned =
    (numberOf(fields.spawnDepth) ?? 0) > 0 || fields.classification === "subagent" || key.includes(":subagent:")
  const named = filledText(fields.spawnedBy) ?? (isSpawned ? filledText(fields.parentSessionKey) : null)
  if (named !== null && named !== key) return named
  return /^(.*:cron:[^:]+):run:/.exec(key)?.[1] ?? null
}

/** The start of a run that only this row reports; null if the gateway knows, or nothing is running. */
export const claimedRunOf = (fields: Fields): number | null =>
  typeof fields.hasActiveRun !== "boolean" && fields.status === "running" ? numberOf(fields.startedAt) : null

/** When something last happened in a session. Newer gateways also count changes of its marks as an update. */
const activeAt = (fields: Fields): number =>
  Math.max(numberOf(fields.lastActivityAt) ?? 0, numberOf(fields.lastInteractionAt) ?? 0) ||
  (numberOf(fields.updatedAt) ?? numberOf(fields.createdAt) ?? 0)

/**
 * Whether a session is pinned, archived and in a group: as its gateway keeps it, or as the console does for a gateway
 * that can't. There, a run that began after it was archived brings it back.
 */
export function marksOf(fields: Fields, mark: SessionFacts["mark"]): Pick<SessionRow, "pinned" | "archived" | "group"> {
  const { changing } = mark
  const kept = mark.archivedAt !== null && (numberOf(fields.startedAt) ?? 0) <= mark.archivedAt
  const archived =
    changing.archivedAt === undefined
      ? changing.pinned !== true && (fields.archived === true || kept)
      : changing.archivedAt !== null
  return {
    archived,
    pinned: !archived && (changing.pinned ?? (fields.pinned === true || mark.pinned)),
    group: changing.group === undefined ? (filledText(fields.category) ?? mark.group) : changing.group
  }
}

/** A `sessions.list` row as a person sees it. */
export function sessionRow(fields: Fields, key: string, mainKey: string, facts: SessionFacts): SessionRow {
  const kind = kindOf(key, mainKey)
  const name = nameOf(fields, key, kind)
  const running =
    typeof fields.hasActiveRun === "boolean"
      ? fields.hasActiveRun
      : claimedRunOf(fields) !== null && facts.isRunBelieved
  const endedAt = endOf(fields)
  const isNews = !running && endedAt !== null && endedAt > facts.seenAt
  const failed = !running && isFailed(fields)
  const startedAt = numberOf(fields.startedAt)
  const denied = !running && facts.deniedAt !== null && facts.deniedAt >= (startedAt ?? 0)
  const unread = isNews && kind !== "subagent"
  const state: SessionState = facts.waiting
    ? "waiting"
    : running
      ? // What waits for a person runs, too, so until it's known which it is, nothing is said.
        facts.waiting === null
        ? "idle"
        : "working"
      : denied && isNews
        ? "denied"
        : failed && isNews
          ? "error"
          : unread
            ? "unread"
            : "idle"
  return {
    key,
    sessionId: textOf(fields.sessionId),
    agentId: keyParts(key).agentId,
    kind,
    title: name ?? (kind === "chat" ? facts.firstWords : null) ?? FALLBACK_TITLES[kind],
    label: filledText(fields.label),
    preview: previewOf(fields.lastMessagePreview),
    parentKey: parentOf(fields, key),
    state,
    running,
    failed,
    denied,
    unread,
    ...marksOf(fields, facts.mark),
    updatedAt: activeAt(fields),
    startedAt,
    endedAt,
    model: filledText(fields.model),
    modelProvider: filledText(fields.modelProvider),
    thinkingLevel: filledText(fields.thinkingLevel),
    thinkingLevels: listOf(fields.thinkingLevels).flatMap((entry) => {
      const id = filledText(fieldsOf(entry).id)
      return id === null ? [] : [{ id, label: filledText(fieldsOf(entry).label) ?? id }]
    }),
    // What is left of an earlier turn says nothing of this one, and may be more than there is room for.
    totalTokens: fields.totalTokensFresh === false ? null : numberOf(fields.totalTokens),
    contextTokens: numberOf(fields.contextTokens),
    cost: numberOf(fields.estimatedCostUsd)
  }
}

/** The rows of a `sessions.list` answer by their keys. */
export const listedRows = (...lists: ReadonlyArray<unknown>): Map<string, Fields> =>
  new Map(
    lists.flatMap(recordsOf).flatMap((fields) => {
      const key = filledText(fields.key)
      return key === null ? [] : [[key, fields]]
    })
  )

/** The row after a `sessions.changed` event; null if the session is gone. */
export function changedRow(before: Fields | null, payload: Fields): Fields | null {
  if (payload.reason === "delete") return null
  const { session, sessionKey, ts, phase, reason, messageId, messageSeq, runId, ...flat } = payload
  const row = { ...flat, ...(recordOf(session) ?? {}) }
  const merged: Record<string, unknown> = { ...before, ...row, key: textOf(sessionKey) ?? before?.key }
  const old = numberOf(before?.updatedAt)
  // A `message` event may carry the row as it was before the run started: only a newer row may end a run.
  if (phase === "message" && before !== null && old !== null && (numberOf(merged.updatedAt) ?? 0) < old) {
    for (const name of ["status", "updatedAt", "startedAt", "endedAt", "runtimeMs", "hasActiveRun"]) {
      if (name in before) merged[name] = before[name]
      else delete merged[name]
    }
  }
  if (phase === "start") merged.status = "running"
  return merged
}

/**
 * Rows as a forest, newest first; the newest of a family determines its position. Handles cycles and missing parents.
 */
export function sessionTree(rows: ReadonlyArray<SessionRow>): ReadonlyArray<SessionNode> {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const children = new Map<string | null, Array<SessionRow>>()
  for (const row of rows) {
    const parent = row.parentKey !== null && byKey.has(row.parentKey) && !leadsBack(row, byKey) ? row.parentKey : null
    children.set(parent, [...(children.get(parent) ?? []), row])
  }
  const grow = (row: SessionRow, depth: number): { readonly node: SessionNode; readonly newest: number } => {
    const grown = family(row.key, depth + 1)
    const newest = Math.max(row.updatedAt, ...grown.map((child) => child.newest))
    return { node: { row, depth, children: grown.map((child) => child.node) }, newest }
  }
  const family = (key: string | null, depth: number) =>
    (children.get(key) ?? []).map((row) => grow(row, depth)).sort((a, b) => b.newest - a.newest)
  return family(null, 0).map(({ node }) => node)
}

function leadsBack(row: SessionRow, byKey: ReadonlyMap<string, SessionRow>): boolean {
  const seen = new Set([row.key])
  for (let key = row.parentKey; key !== null; key = byKey.get(key)?.parentKey ?? null) {
    if (seen.has(key)) return true
    seen.add(key)
  }
  return false
}

/**
 * Whether a session's last turn ended with the gateway's process: it began before the current process and never
 * ended. One gateway generation lists such a turn as running forever.
 */
export const wasCutOff = (
  row: Pick<SessionRow, "startedAt" | "endedAt"> | null,
  gatewayStartedAt: number | null
): boolean => {
  const startedAt = row?.startedAt ?? null
  if (row === null || startedAt === null || gatewayStartedAt === null) return false
  return startedAt < gatewayStartedAt && (row.endedAt ?? 0) < startedAt
}
