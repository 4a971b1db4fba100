import { type ClientRequest, get } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { WebSocket } from "ws"
import type { Tally } from "./Tally.ts"

const PATHS = [
  "/api/kanban/tasks?limit=100",
  "/health",
  "/api/files/tree",
  "/api/memories",
  "/api/tokens",
  "/api/server-info",
  "/api/gateway/models",
  "/api/workspace",
  "/metrics",
  "/"
]

type Until = () => boolean

/** Makes the requests that pages make most. */
export const readPages = async (tally: Tally, until: Until) => {
  for (let turn = 0; !until(); turn += 1) {
    await tally.send("GET", PATHS[turn % PATHS.length] ?? "/")
    await sleep(20)
  }
}

/** Opens the event stream; `onEnd` may be called more than once. */
export const openStream = (url: string, onData: (chunk: string) => void, onEnd: () => void): ClientRequest => {
  const request = get(`${url}/api/events`, { agent: false }, (response) => {
    response.setEncoding("utf8").on("data", onData).on("error", onEnd).on("close", onEnd)
  })
  request.on("error", onEnd)
  return request
}

/** A tab that reads the event stream, and reopens it whenever it ends. */
export const followEvents = async (tally: Tally, url: string, until: Until) => {
  while (!until()) {
    let ended = false
    const request = openStream(
      url,
      (chunk) => tally.count("events received", chunk.split("\nevent: ").length),
      () => {
        ended = true
      }
    )
    while (!ended && !until()) await sleep(100)
    request.destroy()
    await sleep(200)
  }
}

/** A reader that never reads, until the console disconnects it. */
export const readSlowly = async (tally: Tally, url: string, until: Until) => {
  while (!until()) {
    let ended = false
    const request = get(`${url}/api/events`, { agent: false }, (response) => {
      response.pause()
      response.on("close", () => {
        ended = true
      })
    })
    request.on("error", () => {
      ended = true
    })
    // Long enough to be disconnected for not reading, or by a restart.
    for (let waited = 0; !ended && !until() && waited < 1500; waited += 1) await sleep(200)
    tally.count(ended ? "slow readers disconnected" : "slow readers given up")
    request.destroy()
    await sleep(300)
  }
}

/** Short-lived clients: streams and sockets that are opened and dropped at once, in every state. */
export const churn = async (tally: Tally, url: string, until: Until) => {
  for (let turn = 0; !until(); turn += 1) {
    const request = openStream(
      url,
      () => {},
      () => {}
    )
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { perMessageDeflate: false })
    socket.on("error", () => {})
    await sleep((turn % 5) * 20)
    request.destroy()
    if (turn % 2 === 0) socket.terminate()
    else socket.close(1000)
    tally.count("clients that connected and disconnected", 2)
    await sleep(100)
  }
}
