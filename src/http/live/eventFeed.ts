import { Effect } from "effect"
import { EventHub, type WrittenEvent } from "../platform/events/EventHub.ts"
import { eventGateway } from "./eventGateway.ts"
import type { ShownState } from "./LiveChannel.ts"
import type { LiveSocket } from "./LiveSocket.ts"
import type { Reach } from "./Reach.ts"

interface Reader {
  readonly reach: Reach
  /** How many channels of the socket show events; each event is sent once. */
  channels: number
}

/** An event's frame, from the JSON that streams get. */
const frameOf = ({ json }: WrittenEvent): string => `{"t":"event",${json.slice(1)}`

const mayRead = (reach: Reach, { message }: WrittenEvent): boolean => {
  if (reach.isEverything) return true
  const gateway = eventGateway(message)
  return gateway === undefined || reach.has(gateway)
}

/** The topic `events`: what `/api/events` sends, to every socket with such a channel. */
export const makeEventFeed = Effect.gen(function* () {
  const hub = yield* EventHub
  const readers = new Map<LiveSocket, Reader>()
  yield* hub.follow((events) => {
    if (readers.size === 0) return
    for (const event of events) {
      const frame = frameOf(event)
      for (const [socket, { reach }] of readers) if (mayRead(reach, event)) socket.sendEvent(frame)
    }
  })

  return (socket: LiveSocket, reach: Reach): ShownState => {
    const reader = readers.get(socket) ?? { reach, channels: 0 }
    reader.channels += 1
    readers.set(socket, reader)
    return {
      read: () => ({
        states: hub
          .states()
          .filter((event) => mayRead(reach, event))
          .map(({ message }) => message)
      }),
      close: () => {
        reader.channels -= 1
        if (reader.channels === 0) readers.delete(socket)
      }
    }
  }
})
