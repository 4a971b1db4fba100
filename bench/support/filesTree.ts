import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startServer } from "./ServerProcess.ts"

const FOLDERS = 200
const FILES_EACH = 50
/** Below the limit of 60 requests a minute. */
const ROUNDS = 40

const agent = new Agent({ keepAlive: true })

const fetchText = (port: number, path: string) =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path, agent }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode, text }))
    })
    request.on("error", reject)
  })

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN

const repeated = async (round: () => Promise<unknown>): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let number = 0; number < ROUNDS; number += 1) {
    const start = performance.now()
    await round()
    times.push(performance.now() - start)
  }
  return times
}

const line = (name: string, times: ReadonlyArray<number>) =>
  console.log(
    `${name.padEnd(44)} median ${median(times).toFixed(1).padStart(6)} ms   best ${Math.min(...times).toFixed(1)} ms`
  )

/**
 * Time to fetch a tree of 10,000 files in 200 folders over HTTP (aim: 100 ms), compared with a bare recursive
 * `readdir`.
 */
export const runTree = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-tree-"))
  const workspace = join(home, "workspace")
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(workspace, `part-${Math.floor(folder / 20)}`, `folder-${folder}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < FILES_EACH; file += 1) writeFileSync(join(path, `file-${file}.md`), "")
  }
  const server = await startServer("console", { GATEWAY_HOME: home })
  try {
    const files = readdirSync(workspace, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    console.log(`Tree of ${files.length} files in ${FOLDERS} folders, ${ROUNDS} times (aim: 100 ms)`)
    line("bare recursive readdir", await repeated(() => readdir(workspace, { recursive: true })))
    const tree = async () => {
      const { status, text } = await fetchText(server.port, "/api/files/tree")
      const shown = text.split('"type":"file"').length - 1
      if (status !== 200 || shown !== files.length) throw new Error(`${status}, ${shown} files`)
    }
    line("agent-console, GET /api/files/tree", await repeated(tree))
  } finally {
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
}
