import { createObservable, type Readable } from "../common/Observable.ts"
import type { Client } from "./Client.ts"

const KEY = "agent-console:connected"

/** Attempts to connect before the page says that there is no gateway. */
const PATIENCE = 2

type Source = Pick<Client, "events" | "link" | "storage">

const runs = new WeakMap<Source["link"], Readable<boolean>>()

/**
 * Whether this browser has never been connected to the gateway, and isn't now although the console answers: there is
 * nothing to show or to write to yet.
 */
export function firstRun({ events, link, storage }: Source): Readable<boolean> {
  const known = runs.get(link)
  if (known !== undefined) return known
  let hasConnected = storage.getItem(KEY) !== null
  let isStuck = false
  const isFirst = (): boolean => {
    const { attempt, phase } = link.state.get()
    // A further attempt, which begins to count anew, changes nothing until it succeeds.
    isStuck ||= phase === "unapproved" || phase === "refused" || phase === "gaveUp" || attempt >= PATIENCE
    return !hasConnected && events.connected.get() && isStuck
  }
  const state = createObservable(isFirst())
  const look = () => {
    if (link.hello.get() !== null && !hasConnected) {
      hasConnected = true
      try {
        storage.setItem(KEY, "1")
      } catch {
        // It is known for the life of the page.
      }
    }
    state.set(isFirst())
  }
  for (const one of [link.hello, link.state, events.connected]) one.subscribe(look)
  look()
  runs.set(link, state)
  return state
}
