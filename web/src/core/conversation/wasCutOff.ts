import type { SessionRow } from "../sessions/sessionTypes.ts"

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
