import { connect } from "node:net"
import { AnswerReader, NO_ANSWER, type RawAnswer, SILENCE } from "./AnswerReader.ts"

/** A request as it goes over the wire, one character a byte. */
export interface RawRequest {
  readonly method: string
  /** From the request line to the end of the body. */
  readonly bytes: string
  /** Whether others may follow on its connection: those a server is likely to end a connection for go alone. */
  readonly isShared: boolean
}

export interface RawDestination {
  readonly port: number
  /** The loopback address the next connection comes from; by default the system's choice. */
  readonly from?: () => string
  /** Whether something in front of the console says 100 by itself. */
  readonly continues?: boolean
}

const CONNECTIONS = 32
const LONGEST_BATCH = 24
/** An answer that takes longer than this never comes. */
const PATIENCE_MS = 30_000

/** Where so many requests had no answer, none of the others is waited for. */
const MOST_SILENCES = 20

type Numbered = readonly [index: number, request: RawRequest]

/** Sends some requests on one connection at once; the answers that came before it ended. */
const exchange = (
  { port, from, continues = false }: RawDestination,
  batch: ReadonlyArray<Numbered>
): Promise<ReadonlyArray<RawAnswer>> =>
  new Promise((resolve) => {
    const answers: Array<RawAnswer> = []
    const reader = new AnswerReader(continues)
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      ...(from === undefined ? {} : { localAddress: from() })
    })
    const finish = () => {
      socket.destroy()
      resolve(answers)
    }
    const read = (hasEnded: boolean) => {
      for (;;) {
        const method = batch[answers.length]?.[1].method
        if (method === undefined) return finish()
        const answer = reader.next(method, hasEnded)
        if (answer === undefined) break
        answers.push(answer)
      }
      if (hasEnded) finish()
    }
    socket.setTimeout(PATIENCE_MS, () => {
      answers.push(SILENCE)
      finish()
    })
    socket.on("data", (chunk: Buffer) => {
      reader.push(chunk)
      read(false)
    })
    socket.on("error", () => {})
    socket.on("close", () => read(true))
    socket.write(Buffer.from(batch.map(([, { bytes }]) => bytes).join(""), "latin1"))
  })

/**
 * Sends all requests and returns their answers in the same order. Several connections are open at once, and a request
 * that a connection ended in front of goes again on another: the end was its predecessor's answer.
 */
export const sendRaw = async (
  destination: RawDestination,
  requests: ReadonlyArray<RawRequest>
): Promise<ReadonlyArray<RawAnswer>> => {
  const answers: Array<RawAnswer> = requests.map(() => SILENCE)
  const shared: Array<Numbered> = []
  const alone: Array<Numbered> = []
  for (const entry of requests.entries()) (entry[1].isShared ? shared : alone).push(entry)
  let silences = 0

  const nextBatch = (): ReadonlyArray<Numbered> => {
    if (shared.length > 0) return shared.splice(-LONGEST_BATCH)
    return alone.splice(-1)
  }
  const work = async () => {
    for (;;) {
      const batch = nextBatch()
      if (batch.length === 0 || silences >= MOST_SILENCES) return
      const got = await exchange(destination, batch)
      if (got.includes(SILENCE)) silences += 1
      for (const [place, [index]] of batch.entries()) {
        const answer = got[place]
        if (answer !== undefined) answers[index] = answer
        else if (batch.length === 1) answers[index] = NO_ANSWER
      }
      const missing = batch.length === 1 ? [] : batch.slice(got.length)
      if (got.length > 0) shared.push(...missing)
      else alone.push(...missing)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return answers
}
