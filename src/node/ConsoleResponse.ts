import type { IncomingMessage } from "node:http"
import { ServerResponse } from "./http.ts"

/** A response that can stay open once its handler is done, for the event stream. */
export class ConsoleResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private opened: (() => void) | undefined

  /**
   * The next `end` without a body leaves the response open and calls `opened`, which writes the first bytes. The
   * handler is done at that point, so nothing of the request's processing stays in memory while the stream lasts.
   */
  keepOpen(opened: () => void): void {
    this.opened = opened
  }

  override end(...args: ReadonlyArray<unknown>): this {
    const { opened } = this
    this.opened = undefined
    if (args[0] !== undefined || opened === undefined) return Reflect.apply(super.end, this, args)
    opened()
    return this
  }
}
