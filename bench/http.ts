import { readdirSync } from "node:fs"
import { join } from "node:path"
import { measureLoad, median, type Subject, startBare, startConsole, WEB_ROOT } from "./support/processes.ts"

const ROUNDS = 5
const SECONDS = 2

const compare = async (title: string, aim: number, path: string, bare: Subject, subject: Subject): Promise<void> => {
  const bareFigures: Array<number> = []
  const figures: Array<number> = []
  // In turns, so that whatever else the machine does falls on both.
  for (let round = 0; round < ROUNDS; round++) {
    bareFigures.push(await measureLoad(bare.port, path, SECONDS))
    figures.push(await measureLoad(subject.port, path, SECONDS))
  }
  const ratios = figures.map((figure, index) => figure / (bareFigures[index] ?? figure))
  const share = Math.round(median(ratios) * 100)
  console.log(
    `${title}: ${Math.round(median(figures))} requests/s, bare node:http ${Math.round(median(bareFigures))} ` +
      `= ${share} % (aim ${aim} %)`
  )
}

/** Requests per second for a JSON answer and a hashed asset, beside a bare `node:http` server in the same run. */
export const run = async (): Promise<void> => {
  const name = readdirSync(join(WEB_ROOT, "assets")).find((file) => file.endsWith(".js.br"))
  if (name === undefined) throw new Error("the web build has no compressed script: run `npm run build:web`")
  const bare = await startBare({ inspect: false, asset: join(WEB_ROOT, "assets", name) })
  const subject = await startConsole({ inspect: false })
  await compare("GET /api/version", 50, "/api/version", bare, subject)
  await compare("a hashed asset", 80, `/assets/${name.slice(0, -".br".length)}`, bare, subject)
  bare.stop()
  subject.stop()
}
