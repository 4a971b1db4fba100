import type { ConsoleEvent } from "../../services/events/EventBus.ts"

const encoder = new TextEncoder()

const eventMessage = (event: ConsoleEvent): string =>
  `event: ${event.event.replace(/[\r\n]/g, " ")}\ndata: ${JSON.stringify(event)}\n\n`

/** Messages as they go on the wire: for each an `event:` line and a `data:` line with the whole event (SPEC "Events"). */
export const eventMessages = (events: ReadonlyArray<ConsoleEvent>): Uint8Array =>
  encoder.encode(events.map(eventMessage).join(""))
