import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, watch, writeFileSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { runTree } from "./support/filesTree.ts"
import { startServer } from "./support/ServerProcess.ts"

const SAVES = 200
/** Longer than the window in which a burst of saves is combined. */
const PAUSE_MS = 110
const GIVE_UP_MS = 2000

interface Saved {
  readonly path: string
  readonly mtime: number
}

type Listener = (saved: Saved) => void

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Calls back on every `file.changed` of the console's event stream. */
const followEvents = (port: number, listeners: Set<Listener>): Promise<() => void> =>
  new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/api/events", agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
        const messages = text.split("\n\n")
        text = messages.pop() ?? ""
        for (const message of messages) {
          const line = message.split("\n").find((row) => row.startsWith("data:"))
          const event: { readonly event: string; readonly data: Saved } = JSON.parse(line?.slice(5) ?? "{}")
          if (event.event === "file.changed") for (const listener of listeners) listener(event.data)
        }
      })
      resolve(() => request.destroy())
    })
  })

const KINDS: Readonly<Record<string, (path: string, number: number) => void>> = {
  "in place": (path, number) => writeFileSync(path, `save ${number}\n`),
  "by rename": (path, number) => {
    writeFileSync(`${path}.new`, `save ${number}\n`)
    renameSync(`${path}.new`, path)
  }
}

const FILES = ["SOUL.md", "MEMORY.md", "memory/2026-01-05.md"]

/** Saves one file and waits for the event for exactly this state. */
const saveOnce = async (
  workspace: string,
  file: string,
  save: (path: string) => void,
  listeners: Set<Listener>
): Promise<number | undefined> => {
  const path = join(workspace, file)
  const seen: Array<Saved & { readonly at: number }> = []
  let wake = () => {}
  const listener: Listener = (event) => {
    seen.push({ ...event, at: performance.now() })
    wake()
  }
  listeners.add(listener)
  save(path)
  const saved = performance.now()
  const wanted = Math.trunc(statSync(path).mtimeMs)
  const found = () => seen.find((event) => event.path === file && event.mtime === wanted)
  const deadline = saved + GIVE_UP_MS
  while (found() === undefined && performance.now() < deadline) {
    await Promise.race([
      new Promise<void>((resolve) => {
        wake = resolve
      }),
      sleep(50)
    ])
  }
  listeners.delete(listener)
  const event = found()
  return event === undefined ? undefined : Math.max(0, event.at - saved)
}

const report = (name: string, times: ReadonlyArray<number | undefined>) => {
  const arrived = times.filter((time) => time !== undefined)
  const missing = times.length - arrived.length
  console.log(
    `${name.padEnd(44)} median ${percentile(arrived, 0.5).toFixed(1).padStart(6)} ms   p99 ${percentile(arrived, 0.99).toFixed(1).padStart(6)} ms   missing ${missing} of ${times.length}`
  )
}

/** The same saves, seen by `fs.watch` alone in this process. */
const reference = async (folder: string): Promise<ReadonlyArray<number | undefined>> => {
  const path = join(folder, "reference.md")
  writeFileSync(path, "")
  const times: Array<number | undefined> = []
  for (let number = 0; number < SAVES; number++) {
    const started = await new Promise<number | undefined>((resolve) => {
      const watcher = watch(dirname(path), (_, name) => {
        if (name !== basename(path)) return
        watcher.close()
        resolve(performance.now() - saved)
      })
      writeFileSync(path, `save ${number}\n`)
      const saved = performance.now()
    })
    times.push(started)
  }
  return times
}

/**
 * Time to read a tree of 10,000 files, and from a save to its event on the stream (aim: 50 ms, none missing), compared
 * with a bare `fs.watch`.
 */
export const run = async (): Promise<void> => {
  await runTree()
  const folder = mkdtempSync(join(tmpdir(), "agent-console-bench-files-"))
  const workspace = join(folder, "workspace")
  mkdirSync(join(workspace, "memory"), { recursive: true })
  for (const file of FILES) writeFileSync(join(workspace, file), "start\n")
  const server = await startServer("console", { GATEWAY_HOME: folder })
  const listeners = new Set<Listener>()
  const stop = await followEvents(server.port, listeners)
  try {
    console.log(`Time from a save to its event, ${SAVES} saves of each kind (aim: under 50 ms, none missing)`)
    report("bare fs.watch, in place", await reference(folder))
    while (
      (await saveOnce(
        workspace,
        "SOUL.md",
        (path) => utimesSync(path, 1, Math.trunc(performance.now())),
        listeners
      )) === undefined
    );
    for (const [kind, save] of Object.entries(KINDS)) {
      for (const file of FILES) {
        const times: Array<number | undefined> = []
        for (let number = 0; number < SAVES; number++) {
          await sleep(PAUSE_MS)
          times.push(await saveOnce(workspace, file, (path) => save(path, number), listeners))
        }
        report(`agent-console, ${file}, ${kind}`, times)
      }
    }
  } finally {
    stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
