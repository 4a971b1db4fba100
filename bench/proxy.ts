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

const startGateway = async () => {
  const child = fork(fileURLToPath(new URL("./proxy/gateway.ts", import.meta.url)))
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

/** Interleaves both ways of connecting, so that whatever else the machine does meets both alike. */
const compare = async (urls: { readonly direct: string; readonly proxied: string }) => {
  const direct = await BenchClient.open(urls.direct)
  const proxied = await BenchClient.open(urls.proxied)
  row(["round trip", "direct µs", "proxied µs", "added µs"])
  for (const { bytes, count, name } of ECHOES) {
    const times: Record<"direct" | "proxied", Array<number>> = { direct: [], proxied: [] }
    for (let round = 0; round < ROUNDS; round++) {
      times.direct.push(...(await direct.roundTrips(count, bytes)))
      times.proxied.push(...(await proxied.roundTrips(count, bytes)))
    }
    const [before, after] = [median(times.direct), median(times.proxied)]
    row([name, before.toFixed(1), after.toFixed(1), (after - before).toFixed(1)])
  }
  row(["one way", "direct /s", "proxied /s", "share"])
  for (const { bytes, count, name } of FLOODS) {
    const rates: Record<"direct" | "proxied", Array<number>> = { direct: [], proxied: [] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.direct.push(await direct.receive(count, bytes))
      rates.proxied.push(await proxied.receive(count, bytes))
    }
    const [before, after] = [median(rates.direct), median(rates.proxied)]
    row([name, before.toFixed(0), after.toFixed(0), `${((after / before) * 100).toFixed(0)} %`])
  }
  direct.close()
  proxied.close()
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

const IDLE_CLIENTS = 500

/** What one connection that says nothing costs the console, in resident memory of the whole process. */
const idleClients = async (url: string, child: ChildProcess) => {
  const open = () => Promise.all(Array.from({ length: IDLE_CLIENTS }, () => BenchClient.open(url)))
  // The first ones make room that is used again.
  for (const client of await open()) client.close()
  await pause(3000)
  const before = residentBytes(child.pid)
  const clients = await open()
  await pause(3000)
  const each = (residentBytes(child.pid) - before) / IDLE_CLIENTS / 1024
  for (const client of clients) client.close()
  console.log(`an idle proxied connection: ${each.toFixed(1)} KB (aim: at most 25 KB)`)
}

/** Round trips, frames a second and memory of the WebSocket proxy of the built console, beside a direct connection. */
export const run = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  const children: Array<ChildProcess> = []
  try {
    const gateway = await startGateway()
    children.push(gateway.child)
    const fresh = await startConsole(gateway.port, home)
    children.push(fresh.child)
    const proxied = `ws://127.0.0.1:${fresh.port}/ws`
    await stalledReader(proxied, fresh.child)
    await compare({ direct: `ws://127.0.0.1:${gateway.port}`, proxied })
    await stalledReader(proxied, fresh.child)
    await idleClients(proxied, fresh.child)
  } finally {
    for (const child of children) child.kill()
    rmSync(home, { recursive: true, force: true })
  }
}
