import type { Console, EventStream, GatewayLink } from "../types.ts"
import type { Source } from "./LiveQuery.ts"

/** An event of the server's stream. */
export const serverEvent =
  (events: EventStream, name: string): Source =>
  (changed) =>
    events.on(name, changed)

/** The event stream is back after an interruption, so events may have been missed. */
export const streamBack =
  (events: EventStream): Source =>
  (changed) =>
    events.connected.subscribe((connected) => {
      if (connected) changed()
    })

/** The gateway is back after an interruption. */
export const gatewayBack =
  (console: Pick<Console, "link" | "gatewayStatus">): Source =>
  (changed) => {
    const stops = [
      console.link.hello.subscribe((hello) => {
        if (hello !== null) changed()
      }),
      console.gatewayStatus.subscribe(changed)
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

/** An event of the gateway, or a hole in the row of its events. */
export const gatewayEvent =
  (link: GatewayLink, name: string): Source =>
  (changed) => {
    const stops = [
      link.onEvent((frame) => {
        if (frame.event === name) changed()
      }),
      link.onGap(changed)
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
