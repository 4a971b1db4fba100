import { fork } from "node:child_process"
import { once } from "node:events"
import { readdirSync, rmSync } from "node:fs"
import { get } from "node:http"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { freePort } from "../test/support/freePort.ts"
import { buildWithout, type NodePart } from "./node/withoutPart.ts"
import { BenchClient } from "./proxy/BenchClient.ts"
import { load } from "./start.ts"
import { measureHeap } from "./support/heap.ts"
import { measureLoad, median, WEB_ROOT } from "./support/processes.ts"
import { type ServerProcess, startServer } from "./support/ServerProcess.ts"

const ROUNDS = 5
const IDLE_MS = 4000
const SETTLE_MS = 2000
const CONNECTIONS = 500

/** What is measured of a started console. */
interface Measure {
  readonly what: string
  readonly unit: string
  readonly of: (server: ServerProcess, inspectorPort: number) => Promise<number>
}

const idle: Measure = {
  what: "resident memory, idle",
  unit: "MB",
  of: async (server) => {
    await sleep(IDLE_MS)
    return server.residentMb()
  }
}

const loaded: Measure = {
  what: "resident memory after 20,000 requests",
  unit: "MB",
  of: async (server) => {
    await load(server.port)
    await sleep(SETTLE_MS)
    return server.residentMb()
  }
}

const rate = (what: string, path: string): Measure => ({
  what,
  unit: "requests/s",
  of: async ({ port, child }) => {
    const sending = { method: "GET", path, encoding: "br, gzip" } as const
    return (await measureLoad({ port, pid: child.pid ?? 0 }, sending, 2)).perSecond
  }
})

/** The process's debugger, which counts its heap. */
const inspectorOf = async (port: number): Promise<string> => {
  const [response] = await once(get(`http://127.0.0.1:${port}/json/list`), "response")
  return /ws:\/\/[^"]+/.exec(await text(response))?.[0] ?? ""
}

const proxied: Measure = {
  what: "heap of an idle connection over /ws",
  unit: "KB",
  of: async (server, inspectorPort) => {
    const inspector = await inspectorOf(inspectorPort)
    const url = `ws://127.0.0.1:${server.port}/ws`
    const open = () => Promise.all(Array.from({ length: CONNECTIONS }, () => BenchClient.open(url)))
    const clients = await open()
    const before = await measureHeap(inspector)
    clients.push(...(await open()))
    const after = await measureHeap(inspector)
    for (const client of clients) client.close()
    return (after - before) / 1024 / CONNECTIONS
  }
}

const asset = () => {
  const name = readdirSync(join(WEB_ROOT, "assets")).find((file) => file.endsWith(".js.br")) ?? ""
  return `/assets/${name.slice(0, -".br".length)}`
}

/** Every hook into Node or V8 that could be left out, with what it is there for. */
const PARTS: ReadonlyArray<NodePart & { readonly measures: ReadonlyArray<Measure> }> = [
  {
    name: "young generation limited",
    file: "heap.ts",
    from: "  growToLimit()\n",
    to: "",
    measures: [loaded]
  },
  {
    name: "old generation collected at 60 %",
    file: "heap.ts",
    from: '  setFlagsFromString("--heap-growing-percent=60")\n',
    to: "",
    measures: [loaded]
  },
  {
    name: "no optimized code of the start",
    file: "heap.ts",
    from: '  optimize("~")\n',
    to: "",
    measures: [idle]
  },
  {
    name: "one collection after the start",
    file: "heap.ts",
    from: "      exposeCollector()({",
    to: "      void ({",
    measures: [idle]
  },
  {
    name: "prepared heads",
    file: "ReadyAnswer.ts",
    from: "const text = response.shouldKeepAlive",
    to: "const text = false && response.shouldKeepAlive",
    measures: [rate("a hashed asset", asset())]
  },
  {
    name: "the request's listeners forgotten",
    file: "takeOver.ts",
    from: "  forgetRequest(socket)\n",
    to: "",
    measures: [proxied]
  }
]

const measured = async (cli: string, measure: Measure, gatewayPort: number): Promise<number> => {
  const inspectorPort = await freePort()
  const inspects = measure === proxied ? { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` } : {}
  const server = await startServer("console", { GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`, ...inspects }, cli)
  try {
    return await measure.of(server, inspectorPort)
  } finally {
    await server.stop()
  }
}

/** Each hook of `src/node` on and off in turns, by two builds of the console. With a word, only those with it in their names. */
export const run = async ([word = ""]: ReadonlyArray<string>): Promise<void> => {
  const gateway = fork(fileURLToPath(new URL("proxy/gateway.ts", import.meta.url)))
  const [gatewayPort] = await once(gateway, "message")
  const whole = await buildWithout(undefined)
  const folders = [whole]
  try {
    for (const part of PARTS.filter(({ name }) => name.includes(word))) {
      const without = await buildWithout(part)
      folders.push(without)
      for (const measure of part.measures) {
        const on: Array<number> = []
        const off: Array<number> = []
        for (let round = 0; round < ROUNDS; round++) {
          on.push(await measured(whole, measure, Number(gatewayPort)))
          off.push(await measured(without, measure, Number(gatewayPort)))
        }
        const told = (figures: ReadonlyArray<number>) =>
          `${median(figures).toFixed(1)} (${Math.min(...figures).toFixed(1)} to ${Math.max(...figures).toFixed(1)})`
        console.log(`${part.name}: ${measure.what}, ${measure.unit}: with it ${told(on)}, without ${told(off)}`)
      }
    }
  } finally {
    gateway.kill()
    for (const cli of folders) rmSync(dirname(dirname(cli)), { recursive: true, force: true })
  }
}
