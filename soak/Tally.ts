/** An acceptable 5xx error: it has a code and a sentence that says what to do. */
const NAMED = /^\{"error":"[a-z]+(?:_[a-z]+)+","details":"[^"]{10}/

/** The response to one request; `undefined` if the connection broke, as when the console is killed. */
export type Answer = { readonly status: number; readonly body: unknown } | undefined

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of an unknown value. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Sends requests as many different clients and counts the results. */
export class Tally {
  readonly #url: string
  readonly #secrets: ReadonlyArray<string>
  #sent = 0
  readonly counts = new Map<string, number>()
  /** Things that must never happen. */
  readonly problems: Array<string> = []

  constructor(url: string, secrets: ReadonlyArray<string>) {
    this.#url = url
    this.#secrets = secrets
  }

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by)
  }

  problem(text: string): void {
    if (this.problems.length < 50) this.problems.push(text)
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    this.#sent += 1
    const number = this.#sent
    // Each request has a different forwarded address, because the rate limit isn't what's tested here.
    const client = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        method,
        headers: { "x-forwarded-for": client },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000)
      })
      const text = await answer.text()
      this.#look(method, path, answer.status, text)
      return { status: answer.status, body: parsed(text) }
    } catch {
      this.count("requests interrupted")
      return undefined
    }
  }

  #look(method: string, path: string, status: number, text: string): void {
    this.count("requests answered")
    const label = `${method} ${path.split("?")[0]} ${status} ${text.slice(0, 200)}`
    if (status >= 500) {
      if (NAMED.test(text)) this.count(`errors with a code: ${fieldOf(parsed(text), "error")}`)
      else this.problem(`an error without a code: ${label}`)
    }
    for (const secret of this.#secrets) {
      if (status >= 400 && text.includes(secret)) this.problem(`a path or a secret in an error: ${label}`)
    }
  }
}
