import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { BenchClient } from "./proxy/BenchClient.ts"
import { type ServerProcess, startServer } from "./support/ServerProcess.ts"

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

/** Starts a process of the benchmark, which tells the port it listens on. */
const startPart = async (name: "gateway" | "bareRelay", ...args: ReadonlyArray<string>) => {
  const child = fork(fileURLToPath(new URL(`./proxy/${name}.ts`, import.meta.url)), args)
  const [port] = await once(child, "message")
  return { child, port: Number(port) }
}

/** A console of its own, in a home of its own, whose gateway is the benchmark's. */
const startConsole = (gatewayPort: number): Promise<ServerProcess> =>
  startServer("console", { GATEWAY_URL: `http://127.0.0.1:${gatewayPort}` })

const proxyOf = ({ port }: ServerProcess): string => `ws://127.0.0.1:${port}/ws`

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

/** Round trips and frames a second of every way. */
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
const stalledReader = async (server: ServerProcess) => {
  await pause(1000)
  const client = await BenchClient.open(proxyOf(server))
  const before = server.residentMb()
  client.stall(200, MEBIBYTE)
  let highest = before
  for (let sample = 0; sample < 100; sample++) {
    highest = Math.max(highest, server.residentMb())
    await pause(50)
  }
  client.close()
  const growth = (highest - before).toFixed(1)
  console.log(`stopped reader, 200 MB waiting upstream: ${before.toFixed(1)} MB before, ${growth} MB more at most`)
}

/** Connections that make room for so many handshakes at once, and those that are counted. */
const FIRST_CLIENTS = 500
const IDLE_CLIENTS = 1500

/** What one connection that says nothing costs a console that has done nothing else, in resident memory of its process. */
const idleClients = async (server: ServerProcess) => {
  const clients: Array<BenchClient> = []
  const grownBy = async (count: number) => {
    const before = server.residentMb()
    while (clients.length < count) {
      clients.push(
        ...(await Promise.all(Array.from({ length: FIRST_CLIENTS }, () => BenchClient.open(proxyOf(server)))))
      )
      await pause(3000)
    }
    return (server.residentMb() - before) * 1024
  }
  await pause(3000)
  const first = (await grownBy(FIRST_CLIENTS)) / FIRST_CLIENTS
  const later = (await grownBy(FIRST_CLIENTS + IDLE_CLIENTS)) / IDLE_CLIENTS
  for (const client of clients) client.close()
  console.log(`an idle proxied connection: ${later.toFixed(1)} KB (aim: at most 25 KB)`)
  console.log(`... of the first ${FIRST_CLIENTS}, which make room for the handshakes: ${first.toFixed(1)} KB`)
}

/** Round trips, frames a second and memory of the built console's WebSocket proxy, beside a direct connection. */
export const run = async (): Promise<void> => {
  const children: Array<ChildProcess> = []
  const consoles: Array<ServerProcess> = []
  try {
    const gateway = await startPart("gateway")
    children.push(gateway.child)
    const relay = await startPart("bareRelay", String(gateway.port))
    children.push(relay.child)
    const busy = await startConsole(gateway.port)
    consoles.push(busy)
    await stalledReader(busy)
    const [direct, relayed] = [`ws://127.0.0.1:${gateway.port}`, `ws://127.0.0.1:${relay.port}`]
    await compare({ direct, relayed, proxied: proxyOf(busy) })
    await stalledReader(busy)
    const idle = await startConsole(gateway.port)
    consoles.push(idle)
    await idleClients(idle)
  } finally {
    for (const server of consoles) await server.stop()
    for (const child of children) child.kill()
  }
}
