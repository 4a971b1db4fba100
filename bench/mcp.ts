import { Agent, request } from "node:http"
import { startServer } from "./support/ServerProcess.ts"

/** A token may make 120 calls a minute, so the calls go round. */
const TOKENS = 60
const CALLS_PER_TOKEN = 100
const CONNECTIONS = 8
const ROUNDS = 3

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

type Send = (path: string, headers: Readonly<Record<string, string>>, body: object) => Promise<Answer>

const sender = (port: number): Send => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  return (path, headers, body) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body)
      const all = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)), ...headers }
      request({ agent, host: "127.0.0.1", port, method: "POST", path, headers: all }, (response) => {
        let answer = ""
        response.setEncoding("utf8").on("data", (chunk: string) => {
          answer += chunk
        })
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: answer, headers: response.headers }))
      })
        .on("error", reject)
        .end(text)
    })
}

const accept = { accept: "application/json, text/event-stream" }
const version = "2025-11-25"

/** An agent with a token and a session of its own. */
const makeAgent = async (send: Send, name: string) => {
  const { body } = await send(
    "/api/mcp/tokens",
    { "x-forwarded-for": `10.8.0.${name}` },
    { name: `agent ${name}`, rights: ["read", "write"] }
  )
  const authorization = `Bearer ${JSON.parse(body).token}`
  const clientInfo = { name: "bench", version: "1" }
  const opened = await send(
    "/mcp",
    { ...accept, authorization },
    {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: version, capabilities: {}, clientInfo }
    }
  )
  return {
    ...accept,
    authorization,
    "mcp-session-id": String(opened.headers["mcp-session-id"]),
    "mcp-protocol-version": version
  }
}

/** Makes calls over some connections, one at a time on each, and returns how long each took, in milliseconds. */
const load = async (calls: number, call: (index: number) => Promise<Answer>) => {
  const times: Array<number> = []
  let next = 0
  const connection = async () => {
    for (let index = next++; index < calls; index = next++) {
      const from = performance.now()
      const { status, body } = await call(index)
      times.push(performance.now() - from)
      if (status >= 300 || body.includes('"isError":true')) throw new Error(`unexpected answer: ${status} ${body}`)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  const seconds = (performance.now() - began) / 1000
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `${Math.round(calls / seconds)}/s, median ${at(0.5)} ms, 99 % ${at(0.99)} ms`
}

/** Tools beside the same calls by REST, in turns, over 8 connections. */
export const run = async (): Promise<void> => {
  const server = await startServer("console")
  try {
    const before = server.residentMb()
    const send = sender(server.port)
    const calls = (TOKENS * CALLS_PER_TOKEN) / ROUNDS / 2
    const agents = await Promise.all(Array.from({ length: TOKENS }, (_, index) => makeAgent(send, String(index))))
    console.log(`memory: ${before.toFixed(0)} MB, with the tools loaded ${server.residentMb().toFixed(0)} MB`)
    let client = 0
    const rest = (method: string) => () => {
      client += 1
      const from = `10.${(client >> 13) & 255}.${(client >> 5) & 255}.7`
      return send(method, { "x-forwarded-for": from }, { title: "Card" })
    }
    let call = 0
    const tool = (name: string, args: object) => () => {
      const headers = agents[call++ % agents.length] ?? {}
      return send("/mcp", headers, {
        jsonrpc: "2.0",
        id: call,
        method: "tools/call",
        params: { name, arguments: args }
      })
    }
    for (let round = 1; round <= ROUNDS; round++) {
      console.log(`round ${round}`)
      console.log(`  create a card, REST:  ${await load(calls, rest("/api/kanban/tasks"))}`)
      console.log(`  create a card, tool:  ${await load(calls, tool("create_task", { title: "Card" }))}`)
      console.log(`  list 20 cards, tool:  ${await load(calls, tool("list_tasks", {}))}`)
    }
  } finally {
    await server.stop()
  }
}
