import { connect } from "node:net"

/**
 * Opens event streams and tells its parent process when all are open, and when all have received a number of messages
 * since the last request.
 */
const [port = "", count = ""] = process.argv.slice(2)
const MARK = Buffer.from("event: bench")
let opened = 0
let received = 0
let expected = Number.POSITIVE_INFINITY

const check = () => {
  if (received < expected) return
  expected = Number.POSITIVE_INFINITY
  process.send?.("received")
}

const countMarks = (chunk: Buffer): number => {
  let marks = 0
  for (let at = chunk.indexOf(MARK); at !== -1; at = chunk.indexOf(MARK, at + MARK.length)) marks++
  return marks
}

// A different client for every stream, so that the rate limit isn't what's measured.
const addressOf = (index: number) => `11.${process.pid & 255}.${index >> 8}.${index & 255}`

const open = (index: number) => {
  let isOpen = false
  // Keeps the end of a chunk, because a mark may be split.
  let rest: Buffer = Buffer.alloc(0)
  const socket = connect(Number(port), "127.0.0.1", () => {
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${addressOf(index)}\r\n\r\n`)
  })
  socket.on("data", (chunk: Buffer) => {
    if (!isOpen) {
      isOpen = true
      if (!chunk.toString("latin1").startsWith("HTTP/1.1 200 ")) throw new Error("the stream was refused")
      opened++
      if (opened === Number(count)) process.send?.("open")
    }
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const marks = countMarks(text)
    const tail = text.lastIndexOf("\n\n")
    rest = marks > 0 || tail !== -1 ? text.subarray(Math.max(tail, text.length - MARK.length + 1)) : text
    received += marks
    check()
  })
}

process.on("message", (total: number) => {
  received = 0
  expected = total
  process.send?.("ready")
})
for (let index = 0; index < Number(count); index++) open(index)
