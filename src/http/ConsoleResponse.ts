import { type IncomingMessage, ServerResponse } from "node:http"

/** Node's answer with two liberties the console takes: whole bodies leave in one piece, and an answer can stay open. */
export class ConsoleResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private opened: (() => void) | undefined

  /**
   * The next `end` without a body leaves the answer open and calls `opened`, which writes the first bytes: who answered
   * is done then, and nothing of the request's own processing stays in memory for as long as the stream lasts.
   */
  keepOpen(opened: () => void): void {
    this.opened = opened
  }

  /**
   * Node puts head and body in two pieces where it has to count the body against its declared length; a whole body was
   * counted when that length was declared, so it leaves in one system call.
   */
  override end(...args: ReadonlyArray<unknown>): this {
    const { opened } = this
    this.opened = undefined
    if (args[0] === undefined && opened !== undefined) {
      opened()
      // Node keeps the head's text (2 KB with all its headers) only to know that there was one.
      if (this.headersSent) Reflect.set(this, "_header", "sent")
      return this
    }
    if (args[0] !== undefined) this.strictContentLength = false
    return Reflect.apply(super.end, this, args)
  }
}
