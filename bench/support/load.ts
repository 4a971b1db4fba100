import { randomInt } from "node:crypto"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/**
 * Sends requests over 32 keep-alive connections for some seconds, one at a time on each, and prints as JSON how many
 * were answered in all and how many a second. Every 30 requests come from another client, so that no rate limit applies.
 *
 * `GET` repeats one request. `POST` creates a card with every request. `PATCH` changes a card of its own on every
 * connection, always with the version the last answer had.
 */
const [port = "", method = "", path = "", seconds = "", encoding = ""] = process.argv.slice(2)
const CONNECTIONS = 32
const REQUESTS_PER_CLIENT = 30

// Each load has clients of its own.
const firstClient = randomInt(2 ** 24)
let sent = 0
const client = () => {
  const number = firstClient + Math.floor(sent++ / REQUESTS_PER_CLIENT)
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

const requestText = (verb: string, target: string, body: string): string =>
  `${verb} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${client()}\r\n` +
  (encoding === "" ? "" : `Accept-Encoding: ${encoding}\r\n`) +
  (body === "" ? "\r\n" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

/** The next request of a connection, from the body of the answer before. */
const nextRequest = (answer: string): string => {
  if (method === "GET") return requestText("GET", path, "")
  if (method === "POST" || answer === "")
    return requestText("POST", "/api/kanban/tasks", JSON.stringify({ title: `Card ${sent}` }))
  const id = /"id":"([^"]+)"/.exec(answer)?.[1]
  const version = Number(/"version":(\d+)/.exec(answer)?.[1])
  return requestText("PATCH", `/api/kanban/tasks/${id}`, JSON.stringify({ version, title: `Card ${sent}` }))
}

let answers = 0
const open = () => {
  let parts: Array<Buffer> = []
  let received = 0
  let length = 0
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(nextRequest("")))
  socket.setNoDelay(true)
  socket.on("data", (chunk) => {
    if (length === 0) {
      const head = chunk.toString("latin1")
      if (!/^HTTP\/1\.1 20\d /.test(head)) throw new Error(`unexpected answer: ${head.slice(0, 2000)}`)
      length = head.indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    }
    received += chunk.byteLength
    if (method === "PATCH") parts.push(chunk)
    if (received < length) return
    answers++
    const answer = parts.length === 0 ? "" : Buffer.concat(parts).toString()
    parts = []
    received = 0
    length = 0
    socket.write(nextRequest(answer))
  })
}

for (let index = 0; index < CONNECTIONS; index++) open()
await sleep(500)
const startedWith = answers
const startedAt = performance.now()
await sleep(Number(seconds) * 1000)
const perSecond = (answers - startedWith) / ((performance.now() - startedAt) / 1000)
console.log(JSON.stringify({ perSecond, answers }))
process.exit(0)
