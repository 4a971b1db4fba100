import type { Generation } from "../Generation.ts"
import { MAX_BUFFERED } from "../wire/limits.ts"
import { type Connection, mayUse, type OutgoingEvent } from "./Connection.ts"

const head = ({ event, payload }: OutgoingEvent) =>
  `{"type":"event","event":${JSON.stringify(event)},"payload":${JSON.stringify(payload)}`

/** All open connections; the only place that writes frames to sockets. */
export class ConnectionHub {
  readonly connections = new Set<Connection>()
  /** While true, nothing is sent to anyone. */
  silent = false
  private readonly generation: Generation

  constructor(generation: Generation) {
    this.generation = generation
  }

  /** Sends raw text. */
  send(connection: Connection, text: string): void {
    if (this.silent || connection.closing) return
    connection.socket.send(text)
  }

  /** Sends an event to those a predicate names; a client that does not read for too long is closed. */
  emit(sent: OutgoingEvent, audience: (connection: Connection) => boolean): void {
    if (this.silent) return
    const payload = this.generation.event(sent.event, sent.payload)
    if (payload === undefined) return
    const event = { ...sent, payload }
    let body: string | undefined
    for (const connection of this.connections) {
      if (connection.closing || connection.session === undefined || !audience(connection)) continue
      if (connection.socket.buffered() > MAX_BUFFERED) {
        this.close(connection, 1008, "slow consumer")
        continue
      }
      body ??= head(event)
      connection.socket.send(body + this.tail(event, connection))
    }
  }

  /** An event as a connection would receive it next. */
  encode(event: OutgoingEvent, connection: Connection): string {
    return head(event) + this.tail(event, connection)
  }

  /** Sends an event to every connection that may read. */
  emitToReaders(event: OutgoingEvent): void {
    this.emit(event, (connection) => mayUse(connection, "operator.read"))
  }

  /** Closes a connection and stops reading from it. */
  close(connection: Connection, code: number, reason: string): void {
    if (connection.closing) return
    connection.closing = true
    connection.socket.close(code, reason)
  }

  /** Closes every connection. */
  closeAll(code: number, reason: string): void {
    for (const connection of this.connections) this.close(connection, code, reason)
  }

  private tail(event: OutgoingEvent, connection: Connection): string {
    const version = event.stateVersion === undefined ? "" : `,"stateVersion":${JSON.stringify(event.stateVersion)}`
    const { eventSuffix, numbersEveryEvent } = this.generation
    if (event.numbered === false && !numbersEveryEvent) return `${version}}`
    connection.seq += 1
    return `,"seq":${connection.seq}${version}${eventSuffix}}`
  }
}
