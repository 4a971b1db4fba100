import { type IncomingMessage, ServerResponse } from "node:http"

/**
 * An answer that leaves in one system call when its whole body is given at once. Node puts head and body in two pieces
 * where it has to count the body against its declared length; a whole body was counted when that length was declared.
 */
export class WholeBodyResponse extends ServerResponse<IncomingMessage> {
  override end(...args: ReadonlyArray<unknown>): this {
    if (args[0] !== undefined) this.strictContentLength = false
    return Reflect.apply(super.end, this, args)
  }
}
