import { type ChildProcess, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { get } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { BenchClient } from "./proxy/BenchClient.ts"

const ROUNDS = 5
const MEBIBYTE = 1_048_576
const ECHOES = [
  { name: "1 KB", bytes: 1024, count: 2000 },
  { name: "64 KB", bytes: 65_536, count: 400 },
  { name: "5 MB", bytes: 5 * MEBIBYTE, count: 8 }
]
const FLOODS = [
  { name: "1 KB", bytes: 1024, count: 200_000 },
  { name: "64 KB", bytes: 65_536, count: 8000 }
]

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Whether all of the console is there. */
const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get(`http://127.0.0.1:${port}/health`, (response) => resolve(response.resume().statusCode === 200)).on(
      "error",
      () => resolve(false)
    )
  })

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return address !== null && typeof address === "object" ? address.port : 0
}

/** Starts a process of the benchmark, which tells the port it listens on. */
const startPart = async (name: "gateway" | "bareRelay", ...args: ReadonlyArray<string>) => {
  const child = fork(fileURLToPath(new URL(`./proxy/${name}.ts`, import.meta.url)), args)
  const [port] = await once(child, "message")
  return { child, port: Number(port) }
}

const startConsole = async (gatewayPort: number, home: string) => {
  const port = await freePort()
  const child = spawn(process.execPath, [fileURLToPath(new URL("../dist/cli.js", import.meta.url))], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      PORT: String(port),
      GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
      GATEWAY_TOKEN: "bench"
    },
    stdio: ["ignore", "ignore", "inherit"]
  })
  for (;;) {
    if (await isReady(port)) return { child, port }
    if (child.exitCode !== null) throw new Error("the console did not start")
    await pause(50)
  }
}

/** Resident memory of a process in bytes, from /proc. */
const residentBytes = (pid: number | undefined): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024

const row = (cells: ReadonlyArray<string>) => console.log(cells.map((cell) => cell.padStart(14)).join(""))

/** The ways of connecting that are compared: straight, through a process that only copies bytes, through the console. */
const WAYS = ["direct", "relayed", "proxied"] as const

type PerWay<A> = Readonly<Record<(typeof WAYS)[number], A>>

const perWay = async <A>(make: (way: (typeof WAYS)[number]) => A | Promise<A>): Promise<PerWay<A>> => ({
  direct: await make("direct"),
  relayed: await make("relayed"),
  proxied: await make("proxied")
})

/** The medians of all figures of several rounds, which go round the ways so that all meet the same machine. */
const measured = async (measure: (way: (typeof WAYS)[number]) => Promise<ReadonlyArray<number>>) => {
  const figures = await perWay((): Array<number> => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) figures[way].push(...(await measure(way)))
  }
  return perWay((way) => median(figures[way]))
}

const compare = async (urls: PerWay<string>) => {
  const clients = await perWay((way) => BenchClient.open(urls[way]))
  row(["round trip", "direct µs", "bare relay", "proxied", "relay adds", "proxy adds"])
  for (const { bytes, count, name } of ECHOES) {
    const { direct, relayed, proxied } = await measured((way) => clients[way].roundTrips(count, bytes))
    row([name, ...[direct, relayed, proxied, relayed - direct, proxied - direct].map((figure) => figure.toFixed(1))])
  }
  row(["one way", "direct /s", "bare relay", "proxied", "relay share", "proxy share"])
  const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(0)} %`
  for (const { bytes, count, name } of FLOODS) {
    const { direct, relayed, proxied } = await measured(async (way) => [await clients[way].receive(count, bytes)])
    const rates = [direct, relayed, proxied].map((figure) => figure.toFixed(0))
    row([name, ...rates, percent(relayed, direct), percent(proxied, direct)])
  }
  for (const way of WAYS) clients[way].close()
}

/** How much the console grows while 200 MB wait upstream for a reader that has stopped. */
const stalledReader = async (url: string, child: ChildProcess) => {
  await pause(1000)
  const client = await BenchClient.open(url)
  const before = residentBytes(child.pid)
  client.stall(200, MEBIBYTE)
  let highest = before
  for (let sample = 0; sample < 100; sample++) {
    highest = Math.max(highest, residentBytes(child.pid))
    await pause(50)
  }
  client.close()
  const growth = (highest - before) / MEBIBYTE
  console.log(
    `stopped reader, 200 MB waiting upstream: ${(before / MEBIBYTE).toFixed(1)} MB before, ${growth.toFixed(1)} MB more at most`
  )
}

/** Connections that make room for so many handshakes at once, and those that are counted. */
const FIRST_CLIENTS = 500
const IDLE_CLIENTS = 1500

/** What one connection that says nothing costs a console that has done nothing else, in resident memory of its process. */
const idleClients = async (url: string, child: ChildProcess) => {
  const clients: Array<BenchClient> = []
  const grownBy = async (count: number) => {
    const before = residentBytes(child.pid)
    while (clients.length < count) {
      clients.push(...(await Promise.all(Array.from({ length: FIRST_CLIENTS }, () => BenchClient.open(url)))))
      await pause(3000)
    }
    return residentBytes(child.pid) - before
  }
  await pause(3000)
  const first = (await grownBy(FIRST_CLIENTS)) / FIRST_CLIENTS / 1024
  const later = (await grownBy(FIRST_CLIENTS + IDLE_CLIENTS)) / IDLE_CLIENTS / 1024
  for (const client of clients) client.close()
  console.log(`an idle proxied connection: ${later.toFixed(1)} KB (aim: at most 25 KB)`)
  console.log(`... of the first ${FIRST_CLIENTS}, which make room for the handshakes: ${first.toFixed(1)} KB`)
}

/** Round trips, frames a second and memory of the built console's WebSocket proxy, beside a direct connection. */
export const run = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  const children: Array<ChildProcess> = []
  try {
    const gateway = await startPart("gateway")
    children.push(gateway.child)
    const relay = await startPart("bareRelay", String(gateway.port))
    children.push(relay.child)
    const fresh = await startConsole(gateway.port, home)
    children.push(fresh.child)
    const proxied = `ws://127.0.0.1:${fresh.port}/ws`
    await stalledReader(proxied, fresh.child)
    await compare({ direct: `ws://127.0.0.1:${gateway.port}`, relayed: `ws://127.0.0.1:${relay.port}`, proxied })
    await stalledReader(proxied, fresh.child)
    const idle = await startConsole(gateway.port, home)
    children.push(idle.child)
    await idleClients(`ws://127.0.0.1:${idle.port}/ws`, idle.child)
  } finally {
    for (const child of children) child.kill()
    rmSync(home, { recursive: true, force: true })
  }
}
