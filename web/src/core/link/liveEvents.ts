import { createObservable } from "../common/Observable.ts"
import type { EventListener, EventStream, ServerEvent } from "./apiTypes.ts"
import type { LiveLink } from "./LiveLink.ts"

/** The server's events over the page's own connection; connected once nothing that happens from then on is missed. */
export function createLiveEvents(live: LiveLink): EventStream {
  const connected = createObservable(false)
  const all = new Map<string, Set<EventListener>>()

  function deliver(message: ServerEvent): void {
    for (const listener of [...(all.get(message.event) ?? [])]) listener(message)
  }

  live.onEvent(deliver)
  live.isUp.subscribe((isUp) => {
    if (!isUp) connected.set(false)
  })
  live.open("events", {
    onState: ({ states }) => {
      connected.set(true)
      for (const state of states) deliver(state)
    }
  })

  return {
    connected,
    on: (event, listener) => {
      const set = all.get(event) ?? new Set()
      all.set(event, set.add(listener))
      return () => set.delete(listener)
    },
    start: live.start,
    stop: live.stop
  }
}
