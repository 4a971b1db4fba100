import { WebSocket } from "ws"

/** Bytes a process uses for JavaScript after a full collection: the heap and external buffers. */
export const measureHeap = (inspector: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(inspector)
    const send = (id: number, method: string, params: object = {}) =>
      socket.send(JSON.stringify({ id, method, params }))
    socket.on("error", reject)
    socket.on("close", () => reject(new Error("the process ended")))
    socket.on("open", () => send(1, "HeapProfiler.collectGarbage"))
    socket.on("message", (text) => {
      const message = JSON.parse(text.toString())
      if (message.id === 1) send(2, "HeapProfiler.collectGarbage")
      if (message.id === 2) {
        const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())"
        send(3, "Runtime.evaluate", { expression })
      }
      if (message.id !== 3) return
      resolve(message.result.result.value)
      socket.close()
    })
  })
