/** The response to one request. */
export interface RawAnswer {
  /** 0 if the connection ended without an answer, -1 if there was none in time. */
  readonly status: number
  readonly head: string
  readonly body: string
}

export const NO_ANSWER: RawAnswer = { status: 0, head: "", body: "" }
export const SILENCE: RawAnswer = { ...NO_ANSWER, status: -1 }

/** Reads one answer after the other from the bytes of a connection, one character a byte. */
export class AnswerReader {
  readonly #continues: boolean
  #rest = ""

  /** Where 100 is only a proxy's word, the answer comes behind it; where it's the console's, it is the answer. */
  constructor(continues = false) {
    this.#continues = continues
  }

  /** Adds bytes. */
  push(chunk: Buffer): void {
    this.#rest += chunk.toString("latin1")
  }

  /** The next complete response; a closed connection also completes one. */
  next(method: string, hasEnded: boolean): RawAnswer | undefined {
    if (this.#continues) this.#rest = this.#rest.replace(/^(?:HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/, "")
    const headEnd = this.#rest.indexOf("\r\n\r\n")
    if (headEnd === -1) return undefined
    const head = this.#rest.slice(0, headEnd)
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? Number.NaN)
    const end = this.#bodyOf(head, status, headEnd + 4, method, hasEnded)
    if (end === undefined) return undefined
    this.#rest = this.#rest.slice(end.next)
    return { status, head, body: end.body }
  }

  #bodyOf(head: string, status: number, from: number, method: string, hasEnded: boolean) {
    // No client here continues after 100 or 101.
    const isInterim = Number.isNaN(status) || status < 200
    if (method === "HEAD" || status === 204 || status === 304 || isInterim) {
      return { body: "", next: from }
    }
    const length = /^content-length: *(\d+)/im.exec(head)?.[1]
    if (length !== undefined) {
      const next = from + Number(length)
      if (this.#rest.length < next && !hasEnded) return undefined
      return { body: this.#rest.slice(from, next), next }
    }
    // A stream that is answered at all is of interest, not how it ends.
    if (/^content-type: *text\/event-stream/im.test(head)) return { body: "", next: this.#rest.length }
    if (/^transfer-encoding: *chunked/im.test(head)) return this.#chunked(from, hasEnded)
    return hasEnded ? { body: this.#rest.slice(from), next: this.#rest.length } : undefined
  }

  #chunked(from: number, hasEnded: boolean) {
    let body = ""
    let at = from
    for (;;) {
      const line = this.#rest.indexOf("\r\n", at)
      const size = line === -1 ? Number.NaN : Number.parseInt(this.#rest.slice(at, line), 16)
      if (Number.isNaN(size) || this.#rest.length < line + 2 + size + 2) {
        return hasEnded ? { body, next: this.#rest.length } : undefined
      }
      body += this.#rest.slice(line + 2, line + 2 + size)
      at = line + 2 + size + 2
      if (size === 0) return { body, next: at }
    }
  }
}
