import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Context, Effect, Layer, Redacted } from "effect"
import { practiceGateway } from "../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway, type EmbeddedGatewayShape } from "../practice-gateway/src/EmbeddedGateway.ts"
import { freePort } from "../test/support/freePort.ts"
import { startServer } from "./support/ServerProcess.ts"

const ROUNDS = 7
const IDLE_MS = 15_000
const COUNTS = [1, 5, 20]
/** Of the most gateways, so many aren't there in a further row. */
const DOWN = 15

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

interface Place {
  readonly url: string
  readonly token: string
}

const placeOf = ({ token, url }: EmbeddedGatewayShape): Place => ({ url, token: Redacted.value(token) })

/** Nobody listens there. */
const nowhere = async (): Promise<Place> => ({ url: `http://127.0.0.1:${await freePort()}`, token: "bench" })

/** A console's folder with these gateways, the first one being that of the settings. */
const measure = async (name: string, [first, ...added]: ReadonlyArray<Place>): Promise<void> => {
  const starts: Array<number> = []
  const idle: Array<number> = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const home = mkdtempSync(join(tmpdir(), "agent-console-bench-gateways-"))
    const list = added.map((place, index) => ({ id: `g${index}`, name: `Gateway ${index}`, ...place }))
    writeFileSync(join(home, "gateways.json"), JSON.stringify(list), { mode: 0o600 })
    const server = await startServer("console", {
      SVC_HOME: home,
      GATEWAY_URL: first?.url ?? "",
      GATEWAY_TOKEN: first?.token ?? ""
    })
    starts.push(server.readyMs)
    if (round === 0) {
      await sleep(IDLE_MS)
      idle.push(server.residentMb())
    }
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
  const text = `every service after ${median(starts).toFixed(0).padStart(4)} ms`
  console.log(`${name.padEnd(22)} ${text}, ${median(idle).toFixed(0).padStart(4)} MB after ${IDLE_MS / 1000} s`)
}

/** What further gateways cost the console: its start, and its memory once it's connected to them. */
export const run = (): Promise<void> =>
  Effect.gen(function* () {
    const all: Array<Place> = []
    for (let index = 0; index < Math.max(...COUNTS); index += 1) {
      const generation = index % 2 === 0 ? "new" : "old"
      const context = yield* Layer.build(Layer.fresh(practiceGateway({ generation, record: false })))
      all.push(placeOf(Context.get(context, EmbeddedGateway)))
    }
    yield* Effect.promise(async () => {
      console.log(`Start and memory by the number of gateways, median of ${ROUNDS} starts, Node ${process.version}`)
      for (const count of COUNTS) await measure(`${count} gateway${count === 1 ? "" : "s"}`, all.slice(0, count))
      const away = await Promise.all(Array.from({ length: DOWN }, nowhere))
      await measure(`${all.length}, of which ${DOWN} are down`, [...all.slice(0, all.length - DOWN), ...away])
    })
  }).pipe(Effect.scoped, Effect.runPromise)
