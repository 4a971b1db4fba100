import type { ConsoleEvent } from "../../services/events/EventBus.ts"

const encoder = new TextEncoder()

/** A message as it goes on the wire: an `event:` line and a `data:` line with the whole event as JSON (SPEC "Events"). */
export const eventMessage = (event: ConsoleEvent): Uint8Array =>
  encoder.encode(`event: ${event.event.replace(/[\r\n]/g, " ")}\ndata: ${JSON.stringify(event)}\n\n`)
