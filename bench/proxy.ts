import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { BenchClient } from "./proxy/BenchClient.ts"
import { residentMb, type ServerProcess, startServer } from "./support/ServerProcess.ts"

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

/** Starts a benchmark process, which reports its port. */
const startPart = async (name: "gateway" | "bareRelay" | "wsRelay", ...args: ReadonlyArray<string>) => {
  const child = fork(fileURLToPath(new URL(`./proxy/${name}.ts`, import.meta.url)), args)
  const [port] = await once(child, "message")
  return { child, port: Number(port) }
}

/** A separate console with its own home, connected to the benchmark's gateway. */
const startConsole = (gatewayPort: number): Promise<ServerProcess> =>
  startServer("console", { GATEWAY_URL: `http://127.0.0.1:${gatewayPort}` })

const row = (cells: ReadonlyArray<string>) => console.log(cells.map((cell) => cell.padStart(14)).join(""))

/** What is compared: straight, through a process that only copies bytes, through one that pipes with `ws`, through the console. */
const WAYS = ["direct", "relayed", "piped", "proxied"] as const

type PerWay<A> = Readonly<Record<(typeof WAYS)[number], A>>

const perWay = async <A>(make: (way: (typeof WAYS)[number]) => A | Promise<A>): Promise<PerWay<A>> => ({
  direct: await make("direct"),
  relayed: await make("relayed"),
  piped: await make("piped"),
  proxied: await make("proxied")
})

/** The medians of several rounds, alternating between the ways so that all see the same machine load. */
const measured = async (measure: (way: (typeof WAYS)[number]) => Promise<ReadonlyArray<number>>) => {
  const figures = await perWay((): Array<number> => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) figures[way].push(...(await measure(way)))
  }
  return perWay((way) => median(figures[way]))
}

/** Round trips and frames per second for each way. */
const compare = async (urls: PerWay<string>) => {
  const clients = await perWay((way) => BenchClient.open(urls[way]))
  const cells = (figures: PerWay<number>, digits: number) => WAYS.map((way) => figures[way].toFixed(digits))
  row(["round trip µs", "direct", "bare relay", "ws", "console"])
  for (const { bytes, count, name } of ECHOES) {
    row([name, ...cells(await measured((way) => clients[way].roundTrips(count, bytes)), 1)])
  }
  row(["frames/s down", "direct", "bare relay", "ws", "console"])
  for (const { bytes, count, name } of FLOODS) {
    row([name, ...cells(await measured(async (way) => [await clients[way].receive(count, bytes)]), 0)])
  }
  row(["frames/s up", "direct", "bare relay", "ws", "console"])
  for (const { bytes, count, name } of FLOODS) {
    row([name, ...cells(await measured(async (way) => [await clients[way].send(count, bytes)]), 0)])
  }
  row(["3 fragments as", ...Object.values(await perWay((way) => clients[way].fragments()))])
  for (const way of WAYS) clients[way].close()
  for (const code of [1000, 1005, 1008, 1012, 4008]) {
    const reason = code === 1005 ? "" : "why"
    const closes = await perWay(async (way) => (await BenchClient.open(urls[way])).closedWith(code, reason))
    row([`close ${code}`, ...Object.values(closes)])
  }
}

/** A process that stands between client and gateway. */
interface Between {
  readonly name: string
  readonly url: string
  readonly residentMb: () => number
}

/** How much it grows while 200 MB wait upstream for a reader that has stopped. */
const stalledReader = async ({ name, url, residentMb }: Between) => {
  await pause(1000)
  const client = await BenchClient.open(url)
  const before = residentMb()
  client.stall(200, MEBIBYTE)
  let highest = before
  for (let sample = 0; sample < 100; sample++) {
    highest = Math.max(highest, residentMb())
    await pause(50)
  }
  client.close()
  console.log(`stopped reader, 200 MB waiting upstream, ${name}: ${(highest - before).toFixed(1)} MB more at most`)
}

/** Connections that warm up the handshakes, and those that are measured. */
const FIRST_CLIENTS = 500
const IDLE_CLIENTS = 1500

/** What one connection that says nothing costs a process that has done nothing else, in its resident memory. */
const idleClients = async ({ name, url, residentMb }: Between) => {
  const clients: Array<BenchClient> = []
  const grownBy = async (count: number) => {
    const before = residentMb()
    while (clients.length < count) {
      clients.push(...(await Promise.all(Array.from({ length: FIRST_CLIENTS }, () => BenchClient.open(url)))))
      await pause(3000)
    }
    return (residentMb() - before) * 1024
  }
  await pause(3000)
  const first = (await grownBy(FIRST_CLIENTS)) / FIRST_CLIENTS
  const later = (await grownBy(FIRST_CLIENTS + IDLE_CLIENTS)) / IDLE_CLIENTS
  for (const client of clients) client.close()
  console.log(
    `an idle connection, ${name}: ${later.toFixed(1)} KB; of the first ${FIRST_CLIENTS}, opened at once: ${first.toFixed(1)} KB`
  )
}

const betweenOf = (
  name: string,
  { child, port }: { readonly child: ChildProcess; readonly port: number }
): Between => ({
  name,
  url: `ws://127.0.0.1:${port}${name === "console" ? "/ws" : ""}`,
  residentMb: () => residentMb(child.pid)
})

/** The WebSocket proxy of the built console beside a direct connection, a process that copies bytes, and one with `ws`. */
export const run = async (): Promise<void> => {
  const children: Array<ChildProcess> = []
  const consoles: Array<ServerProcess> = []
  try {
    const gateway = await startPart("gateway")
    children.push(gateway.child)
    const start = async (): Promise<ReadonlyArray<Between>> => {
      const relayed = await startPart("bareRelay", String(gateway.port))
      const piped = await startPart("wsRelay", String(gateway.port))
      const proxied = await startConsole(gateway.port)
      children.push(relayed.child, piped.child)
      consoles.push(proxied)
      return [betweenOf("bare relay", relayed), betweenOf("ws", piped), betweenOf("console", proxied)]
    }
    const [relayed, piped, proxied] = (await start()).map(({ url }) => url)
    await compare({
      direct: `ws://127.0.0.1:${gateway.port}`,
      relayed: relayed ?? "",
      piped: piped ?? "",
      proxied: proxied ?? ""
    })
    for (const between of await start()) {
      await idleClients(between)
      await stalledReader(between)
    }
  } finally {
    for (const server of consoles) await server.stop()
    for (const child of children) child.kill()
  }
}
