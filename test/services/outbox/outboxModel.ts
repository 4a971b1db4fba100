import { randomUUID } from "node:crypto"
import type { OutboxMode } from "../../../src/contract/outbox.ts"
import type { OutboxItem } from "../../../src/contract/schema/outbox.ts"

/** What's known of a message from the answers alone; a crash in the middle leaves two possibilities. */
export interface Known {
  readonly id: string
  readonly number: number
  readonly sessionKey: string
  mode: OutboxMode
  notBefore: number | undefined
  /** `maybe`: the console ended before it answered. */
  taken: "yes" | "maybe"
  /** How many messages there were when it was surely taken. */
  takenAmong: number
  /** Taken back: `maybe` if nobody knew whether the agent had it. */
  gone: "no" | "maybe" | "yes"
  /** Texts that it may have. */
  texts: ReadonlyArray<string>
  version: number
  /** Its place isn't known, or it isn't bound to it. */
  isFree: boolean
}

const numberOf = (text: string): number => Number(/^message (\d+)\./.exec(text)?.[1] ?? -1)

/** What the outbox has promised so far, and whether a conversation keeps it. */
export class OutboxModel {
  readonly all: Array<Known> = []
  /** Pairs of messages of which the first is before the second. */
  private readonly order = new Set<string>()

  make(sessionKey: string, mode: OutboxMode, notBefore: number | undefined, suffix: string): Known {
    const number = this.all.length
    const known: Known = {
      id: randomUUID(),
      number,
      sessionKey,
      mode,
      notBefore,
      taken: "maybe",
      takenAmong: 0,
      gone: "no",
      texts: [`message ${number}.0${suffix}`],
      version: 0,
      isFree: true
    }
    this.all.push(known)
    return known
  }

  /** It was taken: it goes after what was there when it was first sent, which may have been without an answer. */
  add(known: Known): void {
    known.taken = "yes"
    known.takenAmong = this.all.length
    known.isFree = known.mode !== "next" || known.notBefore !== undefined
    for (const other of this.all)
      if (other !== known && other.taken === "yes" && other.takenAmong <= known.number && !other.isFree)
        this.order.add(`${other.number} ${known.number}`)
  }

  /** It isn't bound to a place any more. */
  free(known: Known): void {
    known.isFree = true
  }

  /** It was moved, and the list looked like this afterwards. */
  moved(known: Known, list: ReadonlyArray<OutboxItem>): void {
    const numbers = list.map(({ id }) => this.find(id)?.number ?? -1)
    const at = numbers.indexOf(known.number)
    numbers.forEach((other, place) => {
      if (other === known.number) return
      this.order.delete(`${known.number} ${other}`)
      this.order.delete(`${other} ${known.number}`)
      // One that went meanwhile went first.
      this.order.add(place < at ? `${other} ${known.number}` : `${known.number} ${other}`)
    })
    if (at < 0) this.free(known)
  }

  find(id: string): Known | undefined {
    return this.all.find((known) => known.id === id)
  }

  /** What is wrong with a conversation after everything was handed over; nothing, if the outbox keeps its promises. */
  problems(sessionKey: string, written: ReadonlyArray<string>): ReadonlyArray<string> {
    const places = new Map<number, number>()
    const twice = written.flatMap((text, place) => {
      const number = numberOf(text)
      if (places.has(number)) return [`${text} stands there twice`]
      places.set(number, place)
      return []
    })
    const wrong = this.all
      .filter((known) => known.sessionKey === sessionKey)
      .flatMap(({ gone, number, taken, texts }) => {
        const place = places.get(number)
        if (place === undefined) return taken === "yes" && gone === "no" ? [`message ${number} was lost`] : []
        if (gone === "yes") return [`message ${number} was taken back, and sent`]
        const text = written[place] ?? ""
        return texts.includes(text) ? [] : [`“${text}” was changed to “${texts.join("” or “")}” before`]
      })
    const disordered = [...this.order].flatMap((pair) => {
      const [first, second] = pair.split(" ").map((number) => this.all[Number(number)])
      if (first === undefined || second === undefined || first.isFree || second.isFree) return []
      const one = places.get(first.number)
      const other = places.get(second.number)
      return one !== undefined && other !== undefined && one > other && first.sessionKey === sessionKey
        ? [`message ${second.number} was sent before ${first.number}`]
        : []
    })
    return [...twice, ...wrong, ...disordered]
  }
}
