import { once } from "node:events"
import { WebSocket } from "ws"

/** A message of the gateway's own history: who said it and the text. */
export interface HistoryText {
  readonly role: string
  readonly text: string
}

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("")
}

/** Asks the gateway for a session's history through the console's proxy, as any client may. */
export const gatewayHistory = async (url: string, sessionKey: string): Promise<ReadonlyArray<HistoryText>> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`)
  try {
    const request = async (id: string, method: string, params: object) => {
      socket.send(JSON.stringify({ type: "req", id, method, params }))
      for (;;) {
        const [data] = await once(socket, "message")
        const frame = JSON.parse(String(data))
        if (frame.type === "res" && frame.id === id) {
          if (frame.ok !== true) throw new Error(`${method}: ${frame.error?.message}`)
          return frame.payload
        }
      }
    }
    for (;;) {
      const [data] = await once(socket, "message")
      if (JSON.parse(String(data)).event === "connect.challenge") break
    }
    await request("1", "connect", {
      minProtocol: 3,
      maxProtocol: 4,
      client: { id: "gateway-client", version: "1.0.0", platform: "test", mode: "ui" },
      role: "operator",
      scopes: ["operator.admin", "operator.read", "operator.write"],
      caps: []
    })
    const history = await request("2", "chat.history", { sessionKey, limit: 1000, maxChars: 200_000 })
    const texts: Array<HistoryText> = []
    for (const message of history.messages) {
      const text = textOf(message.content).trim()
      if ((message.role === "user" || message.role === "assistant") && text !== "")
        texts.push({ role: message.role, text })
    }
    return texts
  } finally {
    socket.close()
  }
}
