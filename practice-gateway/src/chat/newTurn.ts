import type { TurnRequest } from "./runTypes.ts"
import type { Turn } from "./TurnEvents.ts"

/** The turn for a request, before anything of it is shown. */
export const newTurn = (request: TurnRequest, now: number): Turn => ({
  runId: request.runId,
  session: request.session,
  kind: request.kind,
  requestedAt: now,
  sender: request.sender,
  startedAt: now,
  seq: 0,
  shown: "",
  part: "",
  partNumber: 0,
  lastDelta: "",
  usedTools: false,
  toolEvents: []
})
