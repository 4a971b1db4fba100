import { crc32 } from "node:zlib"
import type { AgentLogEntry } from "../../knowledge/agentlog/AgentLog.ts"
import type { SearchEntry, SearchPlace } from "../searchTypes.ts"

/** Where all entries of the agent log are. */
export const logPlace = (gatewayId: string): SearchPlace => ({ kind: "log", gatewayId, name: "", agent: "" })

/** An entry of the agent log; it has no id, so it's known by its time and contents. */
export const logEntry = (gatewayId: string, { ts, type, level, message, data }: AgentLogEntry): SearchEntry => {
  const words = [message, type, level, data === undefined ? undefined : JSON.stringify(data)]
  const text = words.filter((word) => word !== undefined && word !== "").join("\n")
  return { place: logPlace(gatewayId), key: `${ts} ${crc32(text)}`, at: ts, role: undefined, text, stamp: "" }
}
