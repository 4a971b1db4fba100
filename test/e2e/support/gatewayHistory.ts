import { type RawData, WebSocket } from "ws"
import { type Fields, fieldsOf, recordsOf, textOf } from "../../../src/contract/looseFields.ts"
import { contentText } from "../../../src/services/conversations/history/toolText.ts"

/** A message of the gateway's own history: who said it and the text. */
export interface HistoryText {
  readonly role: string
  readonly text: string
}

/** Calls the gateway through the console's proxy, like any client. */
export const gatewayCall = async (url: string, method: string, params: object): Promise<unknown> =>
  (await gatewayCalls(url, method, [params]))[0]

/** The same with many parameters over one connection, one after the other. */
export const gatewayCalls = async (
  url: string,
  method: string,
  all: ReadonlyArray<object>
): Promise<ReadonlyArray<unknown>> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`)
  // An error between two awaited frames would be unhandled and end the process.
  socket.on("error", () => {})
  // Every frame is checked on arrival, because several may arrive at once.
  const frameWhere = (isIt: (frame: Fields) => boolean) =>
    new Promise<Fields>((resolve, reject) => {
      const look = (data: RawData) => {
        const frame = fieldsOf(JSON.parse(String(data)))
        if (!isIt(frame)) return
        for (const [event, listener] of listeners) socket.off(event, listener)
        resolve(frame)
      }
      const closed = () => reject(new Error(`${method}: the connection was closed`))
      const listeners = [
        ["message", look],
        ["error", reject],
        ["close", closed]
      ] as const
      for (const [event, listener] of listeners) socket.on(event, listener)
    })
  const request = async (id: string, name: string, asked: object) => {
    const answer = frameWhere((frame) => frame.type === "res" && frame.id === id)
    socket.send(JSON.stringify({ type: "req", id, method: name, params: asked }))
    const { ok, payload, error } = await answer
    if (ok !== true) throw new Error(`${name}: ${textOf(fieldsOf(error).message)}`)
    return payload
  }
  try {
    await frameWhere(({ event }) => event === "connect.challenge")
    await request("1", "connect", {
      minProtocol: 3,
      maxProtocol: 4,
      client: { id: "gateway-client", version: "1.0.0", platform: "test", mode: "ui" },
      role: "operator",
      scopes: ["operator.admin", "operator.read", "operator.write"],
      caps: []
    })
    const answers: Array<unknown> = []
    for (const [index, params] of all.entries()) answers.push(await request(`call-${index}`, method, params))
    return answers
  } finally {
    socket.close()
  }
}

/** The texts of a session's history; the older generation refuses a limit of characters, so it can be left out. */
export const gatewayHistory = async (
  url: string,
  sessionKey: string,
  cut: { readonly maxChars?: number } = { maxChars: 200_000 }
): Promise<ReadonlyArray<HistoryText>> => {
  const history = await gatewayCall(url, "chat.history", { sessionKey, limit: 1000, ...cut })
  const texts: Array<HistoryText> = []
  for (const message of recordsOf(fieldsOf(history).messages)) {
    const text = contentText(message.content).trim()
    if ((message.role === "user" || message.role === "assistant") && text !== "")
      texts.push({ role: message.role, text })
  }
  return texts
}
