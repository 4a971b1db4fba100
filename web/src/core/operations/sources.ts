import type { EventName } from "../../../../src/contract/ConsoleEvent.ts"
import type { Client } from "../client/Client.ts"
import type { EventStream } from "../link/apiTypes.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { Source } from "./LiveQuery.ts"

/** An event of the server's stream. */
export const serverEvent =
  (events: EventStream, name: EventName): Source =>
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
  (client: Pick<Client, "link" | "gatewayStatus">): Source =>
  (changed) => {
    const stops = [
      client.link.hello.subscribe((hello) => {
        if (hello !== null) changed()
      }),
      client.gatewayStatus.subscribe(changed)
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

/** A gateway event, or a gap in its event numbers. */
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
