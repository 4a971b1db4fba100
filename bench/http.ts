import { readdirSync } from "node:fs"
import { join } from "node:path"
import {
  addedHeaders,
  measureLoad,
  median,
  type Subject,
  startBare,
  startConsole,
  WEB_ROOT
} from "./support/processes.ts"

const ROUNDS = 5
const SECONDS = 2

interface Subjects {
  readonly bare: Subject
  /** The bare server with the headers SPEC puts on every answer: what they alone cost. */
  readonly dressed: Subject
  readonly console: Subject
}

const compare = async (title: string, aim: number, path: string, subjects: Subjects): Promise<void> => {
  const rounds: Array<{ readonly bare: number; readonly dressed: number; readonly console: number }> = []
  // In turns, so that whatever else the machine does falls on all of them.
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await measureLoad(subjects.bare.port, path, SECONDS),
      console: await measureLoad(subjects.console.port, path, SECONDS),
      dressed: await measureLoad(subjects.dressed.port, path, SECONDS)
    })
  }
  const perSecond = (key: keyof Subjects) => Math.round(median(rounds.map((round) => round[key])))
  const share = (key: keyof Subjects) => Math.round(100 * median(rounds.map((round) => round.console / round[key])))
  console.log(
    `${title}: ${perSecond("console")} requests/s, bare node:http ${perSecond("bare")} ` +
      `= ${share("bare")} % (aim ${aim} %); bare with the same headers ${perSecond("dressed")} = ${share("dressed")} %`
  )
}

/** Requests per second for a JSON answer and a hashed asset, beside a bare `node:http` server in the same run. */
export const run = async (): Promise<void> => {
  const name = readdirSync(join(WEB_ROOT, "assets")).find((file) => file.endsWith(".js.br"))
  if (name === undefined) throw new Error("the web build has no compressed script: run `npm run build:web`")
  const asset = join(WEB_ROOT, "assets", name)
  const subject = await startConsole({ inspect: false })
  const headers = await addedHeaders(subject.port, "/api/version")
  const bare = await startBare({ inspect: false, asset })
  const dressed = await startBare({ inspect: false, asset, headers })
  const subjects = { bare, dressed, console: subject }
  await compare("GET /api/version", 50, "/api/version", subjects)
  await compare("a hashed asset", 80, `/assets/${name.slice(0, -".br".length)}`, subjects)
  for (const started of Object.values(subjects)) started.stop()
}
