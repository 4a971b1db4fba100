import { execFileSync } from "node:child_process"
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { TranscriptCounts } from "../test/support/TranscriptCounts.ts"
import { answerLine, lines, userLine } from "../test/support/transcripts.ts"
import { answerOf } from "./support/answerOf.ts"
import { startServer } from "./support/ServerProcess.ts"

const FILES = 1000
const DEFAULT_MEGABYTES = 1024
const ROUNDS = 5
const RESCANS = 21
const START = Date.parse("2026-01-01T00:00:00.000Z")

interface Sums {
  messages: number
  input: number
  output: number
  nanoDollars: number
}

const nothing = (): Sums => ({ messages: 0, input: 0, output: 0, nanoDollars: 0 })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Writes transcripts of about the given size and totals what it writes. */
const generate = (folder: string, megabytes: number): Sums => {
  const sums = nothing()
  const texts = [300, 1500, 4000].map((length) => 'He said: "usage" is {"input":1}. '.repeat(200).slice(0, length))
  const each = (megabytes * 1024 * 1024) / FILES
  for (let file = 0; file < FILES; file++) {
    const fd = openSync(join(folder, `session-${file}.jsonl`), "w")
    let written = 0
    for (let turn = 0; written < each; turn++) {
      const answer = {
        id: `${file}-${turn}`,
        at: START + turn * 60_000,
        input: 1000 + turn,
        output: 10 + (file % 7),
        cost: (turn % 50) / 1000
      }
      const text = lines(
        userLine(texts[0] ?? ""),
        answerLine({ ...answer, text: texts[1] ?? "" }),
        userLine(texts[2] ?? "").replace('"role":"user"', '"role":"toolResult"')
      )
      sums.messages += 1
      sums.input += answer.input
      sums.output += answer.output
      sums.nanoDollars += (turn % 50) * 1_000_000
      written += writeSync(fd, text)
    }
    closeSync(fd)
  }
  return sums
}

const timed = <A>(work: () => A): readonly [A, number] => {
  const start = performance.now()
  const value = work()
  return [value, performance.now() - start]
}

/** The first scan in a running console, and how long other requests wait during it. */
const inConsole = async (home: string): Promise<void> => {
  const server = await startServer("console", { GATEWAY_HOME: home })
  try {
    const quiet: Array<number> = []
    const waits: Array<number> = []
    const probe = async (into: Array<number>) => {
      const start = performance.now()
      await answerOf(server.port, "/api/version")
      into.push(performance.now() - start)
    }
    for (let round = 0; round < 50; round++) await probe(quiet)
    const start = performance.now()
    let done = false
    const counted = answerOf(server.port, "/api/tokens").then((text) => {
      done = true
      return text
    })
    while (!done) {
      await probe(waits)
      await sleep(2)
    }
    const { totalMessages } = JSON.parse(await counted)
    console.log(
      `first answer of a console: ${(performance.now() - start).toFixed(0)} ms (${totalMessages} answers); other requests meanwhile: ${waits.length}, longest ${Math.max(...waits).toFixed(1)} ms (idle: longest ${Math.max(...quiet).toFixed(1)} ms)`
    )
  } finally {
    await server.stop()
  }
}

/** Exact totals of generated transcripts: the first scan compared with `cat | wc -l`, and scans after 1 KB more, also after
a restart. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const megabytes = Number(args[0] ?? DEFAULT_MEGABYTES)
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-tokens-"))
  const folder = join(home, "agents/main/sessions")
  mkdirSync(folder, { recursive: true })
  try {
    const expected = generate(folder, megabytes)
    console.log(`${FILES} files, ${megabytes} MB, ${expected.messages} answers`)
    const count = () => execFileSync("sh", ["-c", 'cat "$0"/*.jsonl | wc -l', folder])
    count()
    const reference: Array<number> = []
    const first: Array<number> = []
    const files = { path: folder, agent: "main" }
    let counts = new TranscriptCounts()
    for (let round = 0; round < ROUNDS; round++) {
      reference.push(timed(count)[1])
      const fresh = new TranscriptCounts()
      first.push(timed(() => fresh.scan(files))[1])
      counts = fresh
      const exact = JSON.stringify(counts.sums) === JSON.stringify(expected)
      if (!exact) throw new Error(`the totals differ: ${JSON.stringify([counts.sums, expected])}`)
    }
    console.log("totals: exact in every round")
    const ratio = median(first) / median(reference)
    console.log(
      `first scan: median ${median(first).toFixed(0)} ms; cat | wc -l: ${median(reference).toFixed(0)} ms; ${ratio.toFixed(1)} times (aim: 2)`
    )
    const again: Array<number> = []
    const restarted: Array<number> = []
    for (let round = 0; round < RESCANS; round++) {
      const more = (id: string) =>
        appendFileSync(
          join(folder, `session-${round}.jsonl`),
          lines(answerLine({ id, at: START, text: "x".repeat(512) }))
        )
      more(`again-${round}`)
      again.push(timed(() => counts.scan(files))[1])
      more(`restarted-${round}`)
      restarted.push(
        timed(() => {
          counts.restart()
          counts.scan(files)
        })[1]
      )
    }
    console.log(
      `scan after 1 KB more: median ${median(again).toFixed(1)} ms (aim: 5), worst ${Math.max(...again).toFixed(1)} ms`
    )
    console.log(`the same after a restart: median ${median(restarted).toFixed(1)} ms (aim: 5)`)
    await inConsole(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
