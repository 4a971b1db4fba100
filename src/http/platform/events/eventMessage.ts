import { Effect } from "effect"

/** What goes on the wire as one event. */
export interface EventMessage {
  readonly event: string
  readonly data: object
  /** Epoch milliseconds. */
  readonly ts: number
}

const encoder = new TextEncoder()

/**
 * An event as it goes on the wire: an `event:` line and a `data:` line with the whole of it. One that cannot be
 * written, which would be a mistake of this program, is left out, so that the streams go on.
 */
export const eventMessage = (message: EventMessage): Effect.Effect<Uint8Array | undefined> =>
  Effect.try(() =>
    encoder.encode(`event: ${message.event.replace(/[\r\n]/g, " ")}\ndata: ${JSON.stringify(message)}\n\n`)
  ).pipe(
    Effect.catch(({ cause }) =>
      Effect.as(Effect.logWarning(`the event ${message.event} can't be written and was left out`, cause), undefined)
    )
  )
