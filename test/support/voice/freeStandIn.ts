import { createServer, type IncomingMessage } from "node:http"
import { Effect } from "effect"
import { type WebSocket, WebSocketServer } from "ws"

/** What one connection to the free voices sent before it was answered. */
export interface FreeTalk {
  readonly request: IncomingMessage
  readonly config: string
  readonly ssml: string
}

/** A binary message with audio, as the service frames it. */
export const audioMessage = (requestId: string, audio: Uint8Array): Buffer => {
  const type = audio.length === 0 ? "" : "Content-Type:audio/mpeg\r\n"
  const header = Buffer.from(`X-RequestId:${requestId}\r\n${type}X-StreamId:1\r\nPath:audio\r\n`)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(header.length)
  return Buffer.concat([length, header, audio])
}

/** A text message, as the service frames it. */
export const textMessageOf = (requestId: string, path: string, body = "{}"): string =>
  `X-RequestId:${requestId}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${path}\r\n\r\n${body}`

/** Says one text in the service's order of messages: start, response, audio, an empty piece, end. */
export const sayAudio = (socket: WebSocket, talk: FreeTalk, pieces: ReadonlyArray<Uint8Array>): void => {
  const id = /X-RequestId:(\w+)/.exec(talk.ssml)?.[1] ?? ""
  socket.send(textMessageOf(id, "turn.start"))
  socket.send(textMessageOf(id, "response"))
  for (const piece of pieces) socket.send(audioMessage(id, piece))
  socket.send(textMessageOf(id, "audio.metadata", '{"Metadata":[]}'))
  socket.send(audioMessage(id, new Uint8Array()))
  socket.send(textMessageOf(id, "turn.end"))
}

interface Behaviour {
  /** Status and headers with which a connection is refused; `undefined` lets it in. */
  readonly refuse?: (request: IncomingMessage, index: number) => ReadonlyArray<string> | undefined
  /** Answers a text. */
  readonly answer: (socket: WebSocket, talk: FreeTalk, index: number) => void
}

/** The free voices on loopback until the scope closes. */
export const freeStandIn = Effect.fnUntraced(function* ({ refuse = () => undefined, answer }: Behaviour) {
  const talks: Array<FreeTalk> = []
  const upgrades: Array<IncomingMessage> = []
  const http = createServer()
  const server = new WebSocketServer({ noServer: true })
  http.on("upgrade", (request, socket, head) => {
    upgrades.push(request)
    const lines = refuse(request, upgrades.length - 1)
    if (lines !== undefined) {
      socket.end(`${lines.join("\r\n")}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      return
    }
    server.handleUpgrade(request, socket, head, (ws) => {
      const messages: Array<string> = []
      ws.on("message", (data) => {
        messages.push(data.toString())
        const [config, ssml] = messages
        if (messages.length !== 2 || config === undefined || ssml === undefined) return
        const talk = { request, config, ssml }
        talks.push(talk)
        answer(ws, talk, talks.length - 1)
      })
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      http.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        for (const client of server.clients) client.terminate()
        http.close(() => resume(Effect.void))
        http.closeAllConnections()
      })
  )
  const address = http.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `ws://127.0.0.1:${port}/voices/v1`, talks, upgrades }
})
