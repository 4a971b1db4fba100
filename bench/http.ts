import { readdirSync } from "node:fs"
import { join } from "node:path"
import { allocatedBytes } from "./support/allocation.ts"
import {
  type Load,
  measureLoad,
  median,
  record,
  type Subject,
  startBare,
  startConsole,
  WEB_ROOT
} from "./support/processes.ts"

const ROUNDS = 3
const SECONDS = 2
const CARDS = 10_000

interface Row {
  readonly title: string
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  /** What the client says it accepts; nothing by default. */
  readonly encoding?: string
  readonly aim?: string
}

const rows = (asset: string): ReadonlyArray<Row> => [
  { title: "version", method: "GET", path: "/api/version", aim: "25 %" },
  { title: "board's configuration", method: "GET", path: "/api/kanban/config", aim: "25 %" },
  { title: "language", method: "GET", path: "/api/language", aim: "25 %" },
  { title: "50 of 10,000 cards", method: "GET", path: "/api/kanban/tasks?limit=50", aim: "4,000/s, 250 µs" },
  { title: "the same, compressed", method: "GET", path: "/api/kanban/tasks?limit=50", encoding: "br, gzip" },
  { title: "change a card", method: "PATCH", path: "", aim: "4,000/s, 220 µs" },
  { title: "create a card", method: "POST", path: "/api/kanban/tasks", aim: "4,000/s, 220 µs" },
  { title: "a hashed asset", method: "GET", path: asset, encoding: "br, gzip", aim: "80 %" }
]

const perSecond = (loads: ReadonlyArray<Load>) => median(loads.map((load) => load.perSecond))
const cpu = (loads: ReadonlyArray<Load>) => median(loads.map((load) => load.microseconds))

const compare = async (row: Row, subject: Subject): Promise<void> => {
  const bare = await startBare({ inspect: false, answers: await record(subject.port, row) })
  const ours: Array<Load> = []
  const theirs: Array<Load> = []
  // In turns, so that other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await measureLoad(bare, row, SECONDS))
    ours.push(await measureLoad(subject, row, SECONDS))
  }
  bare.stop()
  const share = Math.round(100 * median(ours.map((load, index) => load.perSecond / (theirs[index]?.perSecond ?? 1))))
  console.log(
    `${`${row.method} ${row.title}`.padEnd(30)} ${Math.round(perSecond(ours))}/s, ${Math.round(cpu(ours))} µs; ` +
      `bare ${Math.round(perSecond(theirs))}/s, ${Math.round(cpu(theirs))} µs = ${share} %` +
      (row.aim === undefined ? "" : ` (aim ${row.aim})`)
  )
}

/**
 * Requests per second and processor time per request, each beside a bare `node:http` server that sends the same bytes
 * and headers; then what a request allocates.
 */
export const run = async (): Promise<void> => {
  const name = readdirSync(join(WEB_ROOT, "assets")).find((file) => file.endsWith(".js.br"))
  if (name === undefined) throw new Error("the web build has no compressed script: run `npm run build:web`")
  const all = rows(`/assets/${name.slice(0, -".br".length)}`)
  const subject = await startConsole({ inspect: false, cards: CARDS })
  for (const row of all) await compare(row, subject)
  subject.stop()
  const traced = await startConsole({ inspect: false, cards: CARDS, flags: ["--trace-gc-nvp"] })
  for (const row of all) {
    const before = allocatedBytes(traced.printed())
    const { answers } = await measureLoad(traced, row, SECONDS)
    const bytes = (allocatedBytes(traced.printed()) - before) / answers
    console.log(`${`${row.method} ${row.title}`.padEnd(30)} allocates ${(bytes / 1024).toFixed(1)} KB`)
  }
  traced.stop()
}
