import { createECDH, randomBytes } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { Effect } from "effect"
import { checkVapid } from "./checkVapid.ts"
import { type BrowserKeys, decryptPush } from "./decryptPush.ts"

/** A push message as its browser reads it. */
export interface PushReceived {
  /** The name of the subscription. */
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** Who signed it. */
  readonly vapidKey: string
  /** By the double's clock, in epoch milliseconds. */
  readonly at: number
}

/** How a push service answers; the default is 201. */
export type PushAnswer = (response: ServerResponse, received: PushReceived, index: number) => void

/**
 * A push service on loopback. It checks the signature of every message and decrypts it with the keys of the
 * subscriptions it has handed out; a message that isn't right is in `faults`.
 */
export const startPushDouble = async (clock: () => number = Date.now) => {
  const browsers = new Map<string, BrowserKeys>()
  const received: Array<PushReceived> = []
  const faults: Array<string> = []
  const waiting = new Set<() => void>()
  let answer: PushAnswer = (response) => response.writeHead(201).end()
  let origin = ""

  const read = (url: string, headers: IncomingHttpHeaders, body: Buffer): PushReceived => {
    const name = decodeURIComponent(url.slice("/push/".length))
    const keys = browsers.get(name)
    if (keys === undefined) throw new Error(`no subscription ${name}`)
    if (headers["content-encoding"] !== "aes128gcm") throw new Error("not encoded")
    if (!/^\d+$/.test(headers.ttl?.toString() ?? "")) throw new Error("no TTL")
    if (!/^[\w-]{1,32}$/.test(headers.topic?.toString() ?? "")) throw new Error("no topic")
    const vapidKey = checkVapid(headers.authorization ?? "", origin, clock())
    const payload = Object.fromEntries(Object.entries(JSON.parse(decryptPush(body, keys).toString())))
    return { name, payload, headers, vapidKey, at: clock() }
  }

  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      try {
        const message = read(request.url ?? "", request.headers, Buffer.concat(parts))
        received.push(message)
        answer(response, message, received.length - 1)
      } catch (fault) {
        faults.push(String(fault))
        response.writeHead(400).end()
      }
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`

  return {
    origin,
    received,
    faults,
    /** Another way to answer. */
    answers: (next: PushAnswer) => {
      answer = next
    },
    /** A new browser's subscription, as `POST /api/push/subscriptions` takes it. */
    subscribe: (name: string) => {
      const receiver = createECDH("prime256v1")
      const p256dh = receiver.generateKeys("base64url")
      const auth = randomBytes(16)
      browsers.set(name, { receiver, auth })
      return {
        endpoint: `${origin}/push/${encodeURIComponent(name)}`,
        keys: { p256dh, auth: auth.toString("base64url") }
      }
    },
    /** Waits for a number of messages. */
    count: (wanted: number) =>
      new Promise<ReadonlyArray<PushReceived>>((resolve) => {
        const look = () => {
          if (received.length < wanted) return
          waiting.delete(look)
          resolve(received)
        }
        waiting.add(look)
        look()
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export type PushDouble = Awaited<ReturnType<typeof startPushDouble>>

/** The same until the scope closes. */
export const pushDouble = (clock?: () => number) =>
  Effect.acquireRelease(
    Effect.promise(() => startPushDouble(clock)),
    (double) => Effect.promise(() => double.stop())
  )
