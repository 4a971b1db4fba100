import { complaintAbout, type Door } from "./complaintAbout.ts"
import { labelOf, requestFor, type Sent, WAYS, type Way } from "./requestStyles.ts"
import { type RawDestination, sendRaw } from "./sendRaw.ts"

/** How many of the complaints a failing test shows. */
const SHOWN = 25

/** What sweeps over a console's door found. */
export class Sweep {
  readonly #destination: RawDestination
  readonly #door: Door
  readonly #statuses = new Map<number, number>()
  readonly #complaints: Array<string> = []
  #sent = 0

  constructor(destination: RawDestination, door: Door) {
    this.#destination = destination
    this.#door = door
  }

  /** A request from an address of its own behind the trusted proxy, because the rate limit isn't what's tested. */
  request(target: string, way: Way): Sent {
    this.#sent += 1
    const client = `10.${(this.#sent >> 16) & 255}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`
    const headers = [`Host: ${this.#door.host}`, `X-Forwarded-For: ${client}`]
    return requestFor(target, way, headers, this.#door.isBehindProxy)
  }

  /** Sends requests and checks the responses. */
  async send(requests: ReadonlyArray<Sent>): Promise<void> {
    const answers = await sendRaw(
      this.#destination,
      requests.map(({ raw }) => raw)
    )
    for (const [index, sent] of requests.entries()) {
      const answer = answers[index]
      if (answer === undefined) continue
      this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
      const complaint = complaintAbout(sent, answer, this.#door)
      if (complaint !== undefined) this.#complaints.push(`${labelOf(sent)}: ${complaint}`)
    }
  }

  get sent(): number {
    return this.#sent
  }

  /** How often each status came, in order; 0 is a connection that ended. */
  get statuses(): string {
    return [...this.#statuses]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")
  }

  /** Nothing, or how many requests got what nobody should get, and some of them from all over. */
  get complaints(): string {
    const every = Math.ceil(this.#complaints.length / SHOWN)
    const shown = this.#complaints.filter((_, index) => index % every === 0)
    return this.#complaints.length === 0 ? "" : [`${this.#complaints.length} of ${this.#sent}`, ...shown].join("\n  ")
  }
}

/** The way for one of many targets: over as many routes as there are ways, each target is sent in every way. */
export const wayFor = (target: number, route: number): Way => WAYS[(target + route) % WAYS.length] ?? WAYS[0]
