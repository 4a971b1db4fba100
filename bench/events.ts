import { type ChildProcess, fork } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { measureHeap } from "./support/heap.ts"
import { median, type Subject, send, startBare, startConsole } from "./support/processes.ts"

const READERS = 500
const EVENTS = 200
const ROUNDS = 5
const AT_ONCE = 4
/** Time until closed connections are cleaned up. */
const SETTLE_MS = 2000

const heard = (child: ChildProcess, word: string): Promise<void> =>
  new Promise((resolve) => {
    const listener = (message: unknown) => {
      if (message !== word) return
      child.off("message", listener)
      resolve()
    }
    child.on("message", listener)
  })

// A different client for every request, so that the rate limit isn't what's measured.
const publish = async (port: number, index: number): Promise<void> => {
  const status = await send(port, "/api/events/test", {
    method: "POST",
    headers: { "x-forwarded-for": `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` },
    body: JSON.stringify({ event: "bench", data: { index, text: "x".repeat(100) } })
  })
  if (status !== 200) throw new Error(`publishing returned ${status}`)
}

let published = 0

const deliveries = async (port: number, readers: ChildProcess): Promise<number> => {
  const ready = heard(readers, "ready")
  readers.send(EVENTS * READERS)
  await ready
  const done = heard(readers, "received")
  const startedAt = performance.now()
  const worker = async () => {
    for (let index = 0; index < EVENTS / AT_ONCE; index++) await publish(port, published++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await done
  return (EVENTS * READERS) / ((performance.now() - startedAt) / 1000)
}

const openReaders = async (subject: Subject): Promise<ChildProcess> => {
  const script = fileURLToPath(new URL("support/readers.ts", import.meta.url))
  const child = fork(script, [String(subject.port), String(READERS)])
  await heard(child, "open")
  return child
}

const bytesPerReader = async (subject: Subject): Promise<number> => {
  if (subject.inspector === undefined) return 0
  const first = await openReaders(subject)
  first.kill()
  await sleep(SETTLE_MS)
  const before = await measureHeap(subject.inspector)
  const readers = await openReaders(subject)
  const after = await measureHeap(subject.inspector)
  readers.kill()
  return (after - before) / READERS
}

/** Memory of an open event stream and deliveries per second to 500 of them, compared with a bare `node:http` server. */
export const run = async (): Promise<void> => {
  const inspected = [await startBare({ inspect: true }), await startConsole({ inspect: true })] as const
  const [bareBytes, bytes] = [await bytesPerReader(inspected[0]), await bytesPerReader(inspected[1])]
  for (const subject of inspected) subject.stop()
  const kilobytes = (value: number) => (value / 1024).toFixed(1)
  console.log(
    `memory per open stream: ${kilobytes(bytes)} KB, bare node:http ${kilobytes(bareBytes)} KB ` +
      `= ${kilobytes(bytes - bareBytes)} KB more (aim at most 3 KB)`
  )

  const bare = await startBare({ inspect: false })
  const subject = await startConsole({ inspect: false })
  const [bareReaders, readers] = [await openReaders(bare), await openReaders(subject)]
  const bareFigures: Array<number> = []
  const figures: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    bareFigures.push(await deliveries(bare.port, bareReaders))
    figures.push(await deliveries(subject.port, readers))
  }
  const share = Math.round(median(figures.map((figure, index) => figure / (bareFigures[index] ?? figure))) * 100)
  console.log(
    `fan-out to ${READERS} streams: ${Math.round(median(figures))} deliveries/s, ` +
      `bare node:http ${Math.round(median(bareFigures))} = ${share} % (aim 50 %)`
  )
  for (const child of [bareReaders, readers]) child.kill()
  bare.stop()
  subject.stop()
}
