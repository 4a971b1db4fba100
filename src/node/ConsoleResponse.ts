import { type IncomingMessage, ServerResponse } from "node:http"
import { type HeaderRecord, headOf, type StandingHeaders } from "./answerHead.ts"
import { missingHeaders } from "./missingHeaders.ts"

/** Bytes of a body above which it goes out beside the head, not as one text with it: that would be copied once more. */
const MAX_JOINED = 4096

/** A text's UTF-8 bytes as a text of one byte a letter, which Node writes as it is; `length` is their number. */
const oneByteText = (text: string, length: number): string =>
  length === text.length ? text : Buffer.from(text).toString("latin1")

const isHeaders = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Node's answer with two liberties the console takes: headers that stand in most answers are written once for all of
 * them, and it can stay open.
 *
 * Node checks and joins every header of every answer. With the fourteen protection headers that was a quarter of the
 * processor time of a small answer; its body and head also go out as one text, which is another tenth.
 */
export class ConsoleResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private opened: (() => void) | undefined
  private standing: StandingHeaders | undefined
  private more: ReadonlyArray<HeaderRecord> = []
  private told = -1
  /** Node's own: the head, until it is sent. */
  declare protected _header: string | null
  /** Node's own: the length the head tells. */
  declare protected _contentLength: number | null
  /** Node's own: refuses a body of another length than the head tells. */
  declare strictContentLength: boolean

  /**
   * The next `end` without a body leaves the response open and calls `opened`, which writes the first bytes. The
   * handler is done at that point, so nothing of the request's processing stays in memory while the stream lasts.
   */
  keepOpen(opened: () => void): void {
    this.opened = opened
  }

  /** Adds headers to the head that is written next; those that it has already win, except that `vary` is extended. */
  stand(standing: StandingHeaders, more: ReadonlyArray<HeaderRecord>): void {
    this.standing = standing
    this.more = more
  }

  override writeHead(status: number, ...rest: ReadonlyArray<unknown>): this {
    const { standing, more } = this
    const own = rest.at(-1) ?? {}
    if (standing === undefined || !isHeaders(own)) return Reflect.apply(super.writeHead, this, [status, ...rest])
    const head = this.isUsual() ? headOf(status, own, more, standing) : undefined
    if (head === undefined) {
      const all = { ...own, ...missingHeaders(own, [standing.record, ...more]) }
      return Reflect.apply(super.writeHead, this, [status, ...rest.slice(0, -1), all])
    }
    this.statusCode = status
    this.told = Number(own["content-length"])
    this._contentLength = this.told
    this._header = head
    return this
  }

  /** A browser's connection that stays open. */
  private isUsual(): boolean {
    return this.shouldKeepAlive && this.req.httpVersionMinor === 1 && this.req.headers.expect === undefined
  }

  override end(...args: ReadonlyArray<unknown>): this {
    const { opened } = this
    this.opened = undefined
    const [body] = args
    if (body !== undefined || opened === undefined) return this.finish(args, body)
    opened()
    return this
  }

  private finish(args: ReadonlyArray<unknown>, body: unknown): this {
    if (this.told < 0 || typeof body !== "string" || args.length > 1) return Reflect.apply(super.end, this, args)
    const length = Buffer.byteLength(body)
    // Compared here, so Node needn't, which would send the end of the answer by itself.
    if (length === this.told) this.strictContentLength = false
    if (length <= MAX_JOINED || this.socket === null) return super.end(oneByteText(body, length), "latin1")
    const encoding = length === body.length ? "latin1" : "utf8"
    const { socket } = this
    socket.cork()
    this.flushHeaders()
    super.end(body, encoding)
    socket.uncork()
    return this
  }
}
