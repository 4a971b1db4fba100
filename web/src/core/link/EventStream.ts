import { EVENT_NAMES, STATE_EVENTS } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, parseJson, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { EventListener, EventStream, ServerEvent } from "./apiTypes.ts"
import { leadByChannel } from "./channelLead.ts"
import type { Environment } from "./Environment.ts"
import { retryDelay } from "./GatewayLink.ts"

const NAME = "agent-console:events"
/** The server pings every 30 s; two of them missed mean that the stream is dead. */
const MAX_SILENCE = 62_000
/** After a sleep, a stream that has been silent for longer than a ping is opened anew. */
const WAKE_SILENCE = 32_000

/**
 * The server's events. A browser allows six connections per HTTP/1.1 origin, so one tab holds the stream and passes
 * it on to the others; when that tab closes, another takes over. Pages without locks agree on one by their channel; without a
 * channel every tab has its own stream.
 */
export function createEventStream(env: Environment): EventStream {
  const connected = createObservable(false)
  const listeners = new Map<string, Set<EventListener>>()
  let stopAll: (() => void) | null = null

  function deliver(event: string, data: string): void {
    const message = parseJson<ServerEvent>(data)
    if (message === undefined) return
    for (const listener of [...(listeners.get(event) ?? [])]) listener(message)
  }

  /** Holds the stream open and passes everything to `share`. */
  function hold(share: (event: string, data: string) => void, status: (up: boolean) => void): () => void {
    let generation = 0
    let failures = 0
    let heard = env.now()
    let close = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = (delay: number) => {
      clearTimeout(timer)
      timer = setTimeout(open, delay)
    }
    const lost = (delay = retryDelay(Math.min(failures + 1, 6), env.random())) => {
      failures++
      generation++
      close()
      status(false)
      again(delay)
    }
    function open(): void {
      const mine = ++generation
      const alive = () => {
        heard = env.now()
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
      else if (env.now() - heard > WAKE_SILENCE) lost(0)
    })
    const stopOffline = env.onOffline(() => lost(0))
    return () => {
      generation++
      clearTimeout(timer)
      close()
      stopWaking()
      stopOffline()
    }
  }

  function start(): void {
    if (stopAll !== null) return
    const channel = env.openChannel(NAME)
    const status = (up: boolean) => {
      connected.set(up)
      channel?.post({ up })
    }
    let release = () => {}
    let stopHolding = () => {}
    let leading = false
    const states = new Map<string, string>()
    const leadNow = () => {
      leading = true
      // What came while nobody held the stream is read anew once it's open.
      if (connected.get()) status(false)
      stopHolding = hold((event, data) => {
        if (STATE_EVENTS.has(event)) states.set(event, data)
        deliver(event, data)
        channel?.post({ event, data })
      }, status)
    }
    channel?.onMessage((message) => {
      const { up, event, data, ask } = fieldsOf(message)
      if (leading) {
        if (ask !== true) return
        channel.post({ up: connected.get() })
        for (const [event, data] of states) channel.post({ event, data })
        return
      }
      if (typeof up === "boolean") connected.set(up)
      const name = textOf(event)
      const text = textOf(data)
      if (name !== null && text !== null) deliver(name, text)
    })
    const followNow = () => {
      leading = false
      stopHolding()
      stopHolding = () => {}
      channel?.post({ ask: true })
    }
    if (channel === null) leadNow()
    else {
      release = env.lead(NAME, leadNow) ?? leadByChannel(env, channel, { lead: leadNow, follow: followNow })
      channel.post({ ask: true })
    }
    stopAll = () => {
      stopHolding()
      release()
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
