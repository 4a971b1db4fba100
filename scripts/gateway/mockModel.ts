import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { type ModelReply, type ModelRequest, piecesOf, replyTo } from "./mockReply.ts"

/** So many requests are kept to be looked at. */
const KEPT_REQUESTS = 50
const MODELS = ["mock-fast", "mock-think"]

interface Body extends ModelRequest {
  readonly model: string
  readonly stream: boolean
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const bodyOf = (json: unknown): Body => {
  const { messages, tools, model, stream } = fieldsOf(json)
  return {
    messages: listOf(messages).map((message) => {
      const { role, content } = fieldsOf(message)
      return { role: String(role), content }
    }),
    tools: listOf(tools).map((tool) => String(fieldsOf(fieldsOf(tool).function).name)),
    model: String(model),
    stream: stream === true
  }
}

const usageOf = ({ usage: { input, output, cached } }: ModelReply) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached }
})

const callsOf = ({ tool }: ModelReply) =>
  tool === undefined
    ? {}
    : {
        tool_calls: [
          {
            index: 0,
            id: `call_${randomUUID().slice(0, 8)}`,
            type: "function",
            function: { name: tool.name, arguments: JSON.stringify(tool.args) }
          }
        ]
      }

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

/** Streams an answer piece by piece, for as long as somebody reads it. */
const stream = async (response: ServerResponse, reply: ModelReply, head: object): Promise<void> => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  const write = (fields: object) => response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`)
  const say = (delta: object, finish: string | null = null) =>
    write({ choices: [{ index: 0, delta, finish_reason: finish }] })
  say({ role: "assistant", content: "" })
  const pieces = [
    ...piecesOf(reply.think, reply.pieces).map((piece) => ({ reasoning_content: piece })),
    ...piecesOf(reply.text, reply.pieces).map((piece) => ({ content: piece }))
  ]
  for (const piece of pieces) {
    if (response.destroyed) return
    say(piece)
    if (reply.hang && "content" in piece) return
    await sleep(reply.delayMs)
  }
  if (response.destroyed) return
  if (reply.tool !== undefined) say(callsOf(reply))
  say({}, reply.tool === undefined ? "stop" : "tool_calls")
  write({ choices: [], usage: usageOf(reply) })
  response.end("data: [DONE]\n\n")
}

const complete = async (response: ServerResponse, body: Body): Promise<void> => {
  const reply = replyTo(body)
  if (reply.error !== undefined) {
    const error = { message: `mock error ${reply.error}`, type: "mock_error", code: "mock" }
    return send(response, reply.error, { error })
  }
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: body.model }
  if (body.stream) return stream(response, reply, { ...head, object: "chat.completion.chunk" })
  const message = { role: "assistant", content: reply.text, ...callsOf(reply) }
  const finish = reply.tool === undefined ? "stop" : "tool_calls"
  send(response, 200, {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: usageOf(reply)
  })
}

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

/**
 * A model server of the OpenAI kind on loopback that does what messages order (`mockOrders.ts`), or echoes them. What it
 * was asked last can be read at `/requests`.
 */
export const startMockModel = async () => {
  let requests: ReadonlyArray<unknown> = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = `${request.method} ${request.url}`
    if (path === "GET /requests") return send(response, 200, requests)
    if (path === "GET /v1/models")
      return send(response, 200, {
        object: "list",
        data: MODELS.map((id) => ({ id, object: "model", owned_by: "mock" }))
      })
    if (path !== "POST /v1/chat/completions")
      return send(response, 404, { error: { message: `The scripted model has no ${path}.` } })
    const json = await readJson(request)
    requests = [...requests, json].slice(-KEPT_REQUESTS)
    await complete(response, bodyOf(json))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((problem) => {
      if (response.headersSent) response.destroy()
      else send(response, 400, { error: { message: String(problem) } })
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
