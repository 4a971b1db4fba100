import type { SessionRow } from "../core/chatTypes.ts"

/** The model of a session and how much it thinks, as its button says it. */
export const modelText = (row: Pick<SessionRow, "model" | "thinkingLevel"> | null): string => {
  const model = row?.model ?? "Model"
  return row?.thinkingLevel == null ? model : `${model} · ${row.thinkingLevel}`
}
