import type { WantedMessage } from "../core/conversation/findMessage.ts"

/** The message that an address's query names. */
export const wantedMessage = (query: string): WantedMessage => {
  const params = new URLSearchParams(query)
  const at = Number(params.get("at"))
  return {
    id: params.get("message"),
    at: Number.isFinite(at) ? at : 0,
    marks: params.getAll("mark").map((mark) => mark.toLowerCase())
  }
}
