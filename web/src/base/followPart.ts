import type { Client } from "../core/client/Client.ts"
import { say } from "../core/language/say.ts"

/** What to say instead of a part that failed to load. */
export const LOADS_LATER = say("It loads when the console can be reached again. If it doesn't, reload the page.")

/**
 * Loads a part of the app that has its own chunk, and calls back when it has arrived. A load that failed is repeated
 * whenever the console can be reached again. The returned function ends that.
 */
export const followPart = <A>(
  { events }: Pick<Client, "events">,
  load: () => Promise<A>,
  arrived: (part: A) => void,
  failed: () => void = () => {}
): (() => void) => {
  let isOver = false
  let stop = () => {}
  const end = () => {
    isOver = true
    stop()
  }
  const attempt = () => {
    stop()
    load().then(
      (part) => {
        if (isOver) return
        end()
        arrived(part)
      },
      () => {
        if (isOver) return
        failed()
        stop = events.connected.subscribe((up) => {
          if (up) attempt()
        })
      }
    )
  }
  attempt()
  return end
}
