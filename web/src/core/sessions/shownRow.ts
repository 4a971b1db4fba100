import type { SessionRow as ListedSession } from "../../../../src/contract/schema/sessionRow.ts"
import { kindOf, titleOfKey } from "./sessionRows.ts"
import type { SessionRow } from "./sessionTypes.ts"

/** A session as people see it. */
export function shownRow(row: ListedSession): SessionRow {
  const { context, cost, endedAt, key, model, name, parentKey, preview, provider, sessionId, startedAt } = row
  const isPlain = row.kind === "direct" || row.kind === "group" || row.kind === "other"
  const kind = isPlain ? (kindOf(key, "") === "task" ? "task" : "chat") : row.kind
  return {
    key,
    kind,
    sessionId: sessionId ?? null,
    agentId: row.agentId,
    title: name ?? (kind === "main" ? undefined : row.title) ?? titleOfKey(key, kind),
    label: name ?? null,
    preview: preview ?? null,
    parentKey: parentKey ?? null,
    state: row.state,
    running: row.running,
    failed: row.failed,
    denied: row.denied,
    unread: row.unread,
    pinned: row.pinned,
    archived: row.archived,
    group: row.group ?? null,
    updatedAt: row.updatedAt,
    startedAt: startedAt ?? null,
    endedAt: endedAt ?? null,
    model: model ?? null,
    modelProvider: provider ?? null,
    thinkingLevel: row.thinking ?? null,
    thinkingLevels: row.thinkingLevels,
    totalTokens: row.tokens ?? null,
    contextTokens: context ?? null,
    cost: cost ?? null
  }
}
