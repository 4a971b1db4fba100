import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** Asks for one path over keep-alive connections for some seconds and prints the answers per second. */
const [port = "", path = "", connections = "", seconds = ""] = process.argv.slice(2)
const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n`

const answerLength = (head: string): number => {
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`unexpected answer: ${head.slice(0, 60)}`)
  return head.indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
}

let answers = 0
const open = () => {
  // Every answer has the same length, for only the digits of its date change.
  let length: number | undefined
  let received = 0
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(request))
  socket.setNoDelay(true)
  socket.on("data", (chunk) => {
    received += chunk.byteLength
    length ??= answerLength(chunk.toString("latin1"))
    if (received < length) return
    received -= length
    answers++
    socket.write(request)
  })
}

for (let index = 0; index < Number(connections); index++) open()
await sleep(500)
const startedWith = answers
const startedAt = performance.now()
await sleep(Number(seconds) * 1000)
console.log((answers - startedWith) / ((performance.now() - startedAt) / 1000))
process.exit(0)
