import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../test/support/freePort.ts"
import { boardWriter } from "./boardWriter.ts"
import { chatClient } from "./chatClients.ts"
import { type Fault, faultsInTurn, type Scene } from "./faults.ts"
import { fileWriter, logWriter, memoryWriter } from "./fileWriters.ts"
import { type Holdings, startConsole, startGateway } from "./processes.ts"
import { churn, followEvents, readPages, readSlowly } from "./readers.ts"
import { Tally } from "./Tally.ts"
import { openWire } from "./Wire.ts"

const TOKEN = "token-of-the-soak"
/** Seconds from one fault to the next. */
const FAULT_EVERY_S = 12
const SAMPLE_EVERY_MS = 2000
const WARM_UP_MS = 30_000
/** How much more memory than at the start a console may use once all clients have disconnected. */
const MORE_DESCRIPTORS = 12
const GROWTH = 1.3
const MORE_MEGABYTES = 16
/** Samples between collections; only the heap after a collection shows what's really in use. */
const SAMPLES_PER_HEAP = 10

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const figure = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN)

const row = (name: string, value: string | number) =>
  console.log(`| ${name.padEnd(58)} | ${String(value).padStart(20)} |`)

/** Runs the whole soak in a folder on `disk`, prints its table and returns whether everything held. */
export const soak = async (minutes: number, disk: string | undefined, artifacts: string): Promise<boolean> => {
  const [logFile, samplesFile] = [`${artifacts}/soak-console.log`, `${artifacts}/soak-samples.csv`]
  rmSync(logFile, { force: true })
  writeFileSync(samplesFile, "seconds,resident_mb,descriptors,heap_mb\n")
  const folder = mkdtempSync(`${disk ?? "/tmp"}/agent-console-soak-`)
  const gatewayHome = `${folder}/gateway`
  const transcripts = `${gatewayHome}/agents/main/sessions`
  mkdirSync(transcripts, { recursive: true })
  mkdirSync(`${gatewayHome}/workspace/memory`, { recursive: true })
  const gatewayPort = await freePort()
  const gateway = startGateway(gatewayPort, TOKEN)
  await gateway.ready()
  const wire = await openWire(gatewayPort)
  const subject = startConsole({
    port: await freePort(),
    home: folder,
    gatewayHome,
    gatewayPort: wire.port,
    token: TOKEN,
    logFile
  })
  await subject.ready()
  const tally = new Tally(subject.url, [TOKEN, folder])
  const scene: Scene = { subject, gateway, wire, disk }

  const started = performance.now()
  const endsAt = started + minutes * 60_000
  const until = () => performance.now() >= endsAt
  const faults = new Map<string, number>()
  let life: Array<Holdings> = []
  let heaps: Array<number> = []
  const begin = () => {
    life = []
    heaps = []
  }

  const injectAll = async () => {
    for (let turn = 0; !until(); turn += 1) {
      await sleep(FAULT_EVERY_S * 1000)
      // The last stretch is for recovery.
      if (performance.now() > endsAt - 15_000) return
      const mayKill = performance.now() < started + (endsAt - started) / 2
      const turns = faultsInTurn(disk !== undefined, mayKill)
      const fault: Fault | undefined = turns[turn % turns.length]
      if (fault === undefined) continue
      faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1)
      await fault.inject(scene)
      if (fault.name.startsWith("console")) begin()
      if (!(await subject.isAlive())) {
        tally.problem(`the console exited by itself: ${subject.output().slice(-500)}`)
        await subject.killAndRestart()
        begin()
      }
    }
  }
  const sample = async () => {
    while (!until()) {
      await sleep(SAMPLE_EVERY_MS)
      if (!(await subject.isAlive())) continue
      const now = await subject.holdings()
      life.push(now)
      if (life.length % SAMPLES_PER_HEAP === 0 && life.length * SAMPLE_EVERY_MS > WARM_UP_MS) {
        const heap = await subject.heap().catch(() => undefined)
        if (heap !== undefined) heaps.push(heap)
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      appendFileSync(
        samplesFile,
        `${seconds},${now.residentMb.toFixed(1)},${now.descriptors},${heaps.at(-1)?.toFixed(1) ?? ""}\n`
      )
    }
  }
  const growTranscripts = async () => {
    for (let turn = 0; !until(); turn += 1) {
      const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 11, cost: { total: 0.001 } }
      const message = {
        role: "assistant",
        content: [],
        api: "x",
        provider: "mock",
        model: "m",
        usage,
        stopReason: "stop"
      }
      const line = JSON.stringify({ type: "message", id: "1", timestamp: new Date().toISOString(), message })
      try {
        appendFileSync(`${transcripts}/s-${turn % 50}.jsonl`, `${line}\n`)
      } catch {
        // The disk is full right now.
      }
      await sleep(100)
    }
  }

  const writers = [
    boardWriter(tally, "first"),
    boardWriter(tally, "second"),
    memoryWriter(tally),
    fileWriter(tally, "soak-a.md"),
    fileWriter(tally, "soak-b.md"),
    logWriter(tally)
  ]
  const chats = [0, 1, 2, 3].map((number) => chatClient(tally, subject.url, `agent:main:soak-${number % 2}`, number))
  const atRest = await subject.holdings()
  await Promise.all([
    injectAll(),
    sample(),
    growTranscripts(),
    readPages(tally, until),
    ...[...writers, ...chats].map((worker) => worker.run(until)),
    ...Array.from({ length: 10 }, () => followEvents(tally, subject.url, until)),
    ...Array.from({ length: 3 }, () => readSlowly(tally, subject.url, until)),
    churn(tally, subject.url, until)
  ])

  for (const writer of writers) await writer.verify()
  await Promise.all(chats.map((chat) => chat.verify()))
  for (const chat of chats) chat.dispose()

  // All clients have disconnected: nothing of them may remain. The search's thread holds its files for half a minute.
  let metrics = ""
  let left = await subject.holdings()
  for (let tries = 0; tries < 140; tries += 1) {
    await sleep(500)
    metrics = await (await fetch(`${subject.url}/metrics`)).text()
    left = await subject.holdings()
    const isQuiet =
      figure(metrics, "agent_console_event_streams") === 0 && figure(metrics, "agent_console_proxy_sessions") === 0
    if (isQuiet && left.descriptors <= atRest.descriptors + MORE_DESCRIPTORS) break
  }
  for (const name of ["agent_console_event_streams", "agent_console_proxy_sessions"]) {
    if (figure(metrics, name) !== 0) tally.problem(`${name} is ${figure(metrics, name)} after all clients disconnected`)
  }
  if (left.descriptors > atRest.descriptors + MORE_DESCRIPTORS) {
    tally.problem(`${left.descriptors} descriptors after all clients disconnected, ${atRest.descriptors} at the start`)
  }
  // A process first warms up: compilation, caches, the first usage count.
  life = life.slice(WARM_UP_MS / SAMPLE_EVERY_MS)
  const third = Math.floor(life.length / 3)
  const [early, late] = [life.slice(0, third), life.slice(-third)].map((part) => ({
    memory: median(part.map(({ residentMb }) => residentMb)),
    descriptors: median(part.map(({ descriptors }) => descriptors))
  }))
  if (early !== undefined && late !== undefined) {
    if (late.descriptors > early.descriptors * GROWTH + MORE_DESCRIPTORS)
      tally.problem("the number of descriptors is growing")
  }
  const part = Math.max(1, Math.floor(heaps.length / 3))
  const [earlyHeap, lateHeap] = [median(heaps.slice(0, part)), median(heaps.slice(-part))]
  if (heaps.length < 2) tally.problem("too short to tell whether memory is growing")
  else if (lateHeap > earlyHeap * GROWTH + MORE_MEGABYTES) tally.problem("memory is growing")
  const heapLeft = await subject.heap()
  if (figure(metrics, "agent_console_gateway_up") !== 1)
    tally.problem("the console isn't connected to its gateway again")
  const end = await subject.end()
  if (end.code !== 0) tally.problem(`the console exited with ${end.code}`)
  wire.close()
  await gateway.kill()
  rmSync(folder, { recursive: true, force: true })

  console.log(
    `\n| ${`Soak of ${minutes} minutes`.padEnd(58)} | ${"".padStart(20)} |\n|${"-".repeat(60)}|${"-".repeat(22)}|`
  )
  for (const [name, count] of faults) row(name, `${count} times`)
  if (disk === undefined) row("disk full", "skipped")
  for (const [name, count] of [...tally.counts].sort()) row(name, count)
  const heapFigures = [earlyHeap, lateHeap, heapLeft].map((megabytes) => megabytes.toFixed(1)).join(" / ")
  row("heap after a collection: early / late / all disconnected", `${heapFigures} MB`)
  row("resident memory: early / late", `${early?.memory.toFixed(0)} / ${late?.memory.toFixed(0)} MB`)
  row("descriptors: early / late", `${early?.descriptors} / ${late?.descriptors}`)
  row("descriptors: idle / all disconnected", `${atRest.descriptors} / ${left.descriptors}`)
  row("SIGTERM to exit", `${end.ms.toFixed(0)} ms`)
  row("things that must never happen", tally.problems.length)
  for (const problem of tally.problems) console.log(`- ${problem}`)
  return tally.problems.length === 0
}
