import { fieldsOf, numberOf, parseJson, textOf } from "./decode.ts"
import type { Environment } from "./Environment.ts"
import { retryDelay } from "./GatewayLink.ts"
import { Observable } from "./Observable.ts"
import type { EventStream, ServerEvent } from "./types.ts"

const NAME = "agent-console:events"
/** The server pings every 30 s (SPEC "Events"); more silence than this is a dead stream. */
const MAX_SILENCE = 75_000

/** Names an `EventSource` has to be told in advance (SPEC "Events", D45, D53, D71). */
export const EVENT_NAMES = [
  "connected",
  "ping",
  "memory.changed",
  "file.changed",
  "agentlog.added",
  "tokens.updated",
  "status.changed",
  "kanban.changed",
  "stt.download",
  "test"
] as const

/**
 * The server's events. A browser gives six connections to an HTTP/1.1 origin, so one tab holds the stream and hands it
 * on to the others; when that tab closes another takes over. Without locks or channels every tab has its own stream.
 */
export function createEventStream(env: Environment): EventStream {
  const connected = new Observable(false)
  const listeners = new Map<string, Set<(event: ServerEvent) => void>>()
  let stopAll: (() => void) | null = null

  function deliver(event: string, data: string): void {
    const body = fieldsOf(parseJson(data))
    const message = { event, data: body.data ?? null, ts: numberOf(body.ts) ?? env.now() }
    for (const name of [event, "*"]) for (const listener of [...(listeners.get(name) ?? [])]) listener(message)
  }

  /** Holds the stream open, telling `share` everything it hears. */
  function hold(share: (event: string, data: string) => void, status: (up: boolean) => void): () => void {
    let generation = 0
    let failures = 0
    let close = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = (delay: number) => {
      clearTimeout(timer)
      timer = setTimeout(open, delay)
    }
    const lost = () => {
      generation++
      close()
      status(false)
      again(retryDelay(Math.min(++failures, 6), env.random()))
    }
    function open(): void {
      const mine = ++generation
      const alive = () => {
        clearTimeout(timer)
        timer = setTimeout(lost, MAX_SILENCE)
      }
      alive()
      close = env.openEvents(`${env.origin}/api/events`, EVENT_NAMES, {
        onOpen: () => {
          if (mine !== generation) return
          failures = 0
          alive()
          status(true)
        },
        onMessage: (event, data) => {
          if (mine !== generation) return
          alive()
          share(event, data)
        },
        onError: () => {
          if (mine === generation) lost()
        }
      })
    }
    open()
    const stopWaking = env.onWake(() => {
      if (failures > 0) again(0)
    })
    return () => {
      generation++
      clearTimeout(timer)
      close()
      stopWaking()
    }
  }

  function start(): void {
    if (stopAll !== null) return
    const channel = env.openChannel(NAME)
    const status = (up: boolean) => {
      connected.set(up)
      channel?.post({ up })
    }
    let release: (() => void) | null = null
    let stopHolding = () => {}
    let leading = false
    const leadNow = () => {
      leading = true
      stopHolding = hold((event, data) => {
        deliver(event, data)
        channel?.post({ event, data })
      }, status)
    }
    channel?.onMessage((message) => {
      const { up, event, data, ask } = fieldsOf(message)
      if (leading) {
        if (ask === true) channel.post({ up: connected.get() })
        return
      }
      if (typeof up === "boolean") connected.set(up)
      const name = textOf(event)
      const text = textOf(data)
      if (name !== null && text !== null) deliver(name, text)
    })
    if (channel !== null) release = env.lead(NAME, leadNow)
    if (release === null) leadNow()
    else channel?.post({ ask: true })
    stopAll = () => {
      stopHolding()
      release?.()
      channel?.close()
      connected.set(false)
    }
  }

  return {
    connected,
    on: (event, listener) => {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
      return () => set.delete(listener)
    },
    start,
    stop: () => {
      stopAll?.()
      stopAll = null
    }
  }
}
