import type { SessionKind, SessionNode, SessionRow, SessionState } from "./chatTypes.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, recordOf, textOf } from "./decode.ts"
import { plainTitle } from "./voice/spokenText.ts"

/** What this browser knows of a session besides the gateway's row. */
export interface SessionMarks {
  /** A person has seen everything up to this gateway time. */
  readonly seenAt: number
  /** Runs that started up to this gateway time were stopped; one gateway generation calls them `running` for good. */
  readonly stoppedAt: number
  /** Somebody has to approve or answer something. */
  readonly waiting: boolean
}

/** Keys are `agent:<agentId>:<rest>`; anything else is its own rest. */
function keyParts(key: string): { readonly agentId: string; readonly rest: string } {
  const match = /^agent:([^:]*):(.*)$/s.exec(key)
  return { agentId: match?.[1] || "main", rest: match?.[2] ?? key }
}

function kindOf(key: string, mainKey: string): SessionKind {
  const { rest } = keyParts(key)
  if (key === mainKey || rest === "main") return "main"
  if (rest.startsWith("subagent:")) return "subagent"
  if (rest.startsWith("cron:")) return "cron"
  return rest.startsWith("task-") ? "task" : "chat"
}

const FALLBACK_TITLES: Readonly<Record<SessionKind, string>> = {
  main: "Main",
  chat: "New session",
  subagent: "Sub-agent",
  cron: "Scheduled run",
  task: "Task"
}

function previewOf(fields: Fields): string | null {
  const preview = filledText(fields.lastMessagePreview)
  return preview === null ? null : plainTitle(preview)
}

function titleOf(fields: Fields, key: string, kind: SessionKind): string {
  const label = filledText(fields.label)
  if (label !== null) return label
  if (kind === "main") return FALLBACK_TITLES.main
  const derived = filledText(fields.derivedTitle)
  if (derived !== null) return plainTitle(derived)
  const display = filledText(fields.displayName)
  if (display !== null && !/^[\w-]+:g-/.test(display) && !key.endsWith(display)) return display
  const { rest } = keyParts(key)
  return kind === "chat" && !/[0-9a-f]{8}-[0-9a-f]{4}-/.test(rest) ? rest : FALLBACK_TITLES[kind]
}

/** The name of a session that the gateway lists no row of, such as one that was just made or is gone. */
export const titleOfKey = (key: string): string => titleOf({}, key, kindOf(key, "agent:main:main"))

/** Parent by the gateway's word, else by the key of a scheduled run. */
function parentOf(fields: Fields, key: string): string | null {
  const named = filledText(fields.spawnedBy) ?? filledText(fields.parentSessionKey)
  if (named !== null && named !== key) return named
  return /^(.*:cron:[^:]+):run:/.exec(key)?.[1] ?? null
}

function isWorking(fields: Fields, marks: SessionMarks): boolean {
  if (typeof fields.hasActiveRun === "boolean") return fields.hasActiveRun
  return fields.status === "running" && (numberOf(fields.startedAt) ?? 0) > marks.stoppedAt
}

/** A row of `sessions.list` as a person sees it (gateway protocol, "Sessions"). */
export function sessionRow(fields: Fields, key: string, mainKey: string, marks: SessionMarks): SessionRow {
  const kind = kindOf(key, mainKey)
  const working = isWorking(fields, marks)
  const endedAt = numberOf(fields.endedAt)
  const unread = kind !== "subagent" && !working && endedAt !== null && endedAt > marks.seenAt
  const failed = fields.status === "failed" || fields.status === "timeout"
  const state: SessionState = marks.waiting
    ? "waiting"
    : working
      ? "working"
      : failed
        ? "error"
        : unread
          ? "unread"
          : "idle"
  return {
    key,
    sessionId: textOf(fields.sessionId),
    agentId: keyParts(key).agentId,
    kind,
    title: titleOf(fields, key, kind),
    label: filledText(fields.label),
    preview: previewOf(fields),
    parentKey: parentOf(fields, key),
    state,
    unread,
    updatedAt: numberOf(fields.updatedAt) ?? numberOf(fields.createdAt) ?? 0,
    startedAt: numberOf(fields.startedAt),
    endedAt,
    model: filledText(fields.model),
    modelProvider: filledText(fields.modelProvider),
    thinkingLevel: filledText(fields.thinkingLevel),
    thinkingLevels: listOf(fields.thinkingLevels).flatMap((entry) => {
      const id = filledText(fieldsOf(entry).id)
      return id === null ? [] : [{ id, label: filledText(fieldsOf(entry).label) ?? id }]
    }),
    totalTokens: numberOf(fields.totalTokens),
    contextTokens: numberOf(fields.contextTokens),
    cost: numberOf(fields.estimatedCostUsd)
  }
}

/** The row after a `sessions.changed` event; null when the session is gone. */
export function changedRow(before: Fields | null, payload: Fields): Fields | null {
  if (payload.reason === "delete") return null
  const { session, sessionKey, ts, phase, reason, messageId, messageSeq, runId, ...flat } = payload
  const row = { ...flat, ...(recordOf(session) ?? {}) }
  const merged: Record<string, unknown> = { ...before, ...row, key: textOf(sessionKey) ?? before?.key }
  const old = numberOf(before?.updatedAt)
  // A `message` event may carry the row as it was before the run began: only a newer row may end a run.
  if (phase === "message" && before !== null && old !== null && (numberOf(merged.updatedAt) ?? 0) < old) {
    for (const name of ["status", "updatedAt", "startedAt", "endedAt", "runtimeMs", "hasActiveRun"]) {
      if (name in before) merged[name] = before[name]
      else delete merged[name]
    }
  }
  if (phase === "start") merged.status = "running"
  return merged
}

/** Rows as a forest, newest first; the newest of a family decides its place. Survives cycles and missing parents. */
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
