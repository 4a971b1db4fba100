import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Fiber, PubSub } from "effect"
import { consoleOn } from "./boardPlaces.ts"

const CONSOLES = 8
const AT_ONCE = 4

const startWriter = (url: string, index: number, changes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const file = fileURLToPath(new URL("./boardConsole.ts", import.meta.url))
      const args = [file, url, `writer-${index}`, String(changes), String(AT_ONCE)]
      const child: ChildProcess = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] })
      const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
      const says = async (word: string) => {
        const said = String((await lines.next()).value).split(" ")
        if (said[0] !== word) throw new Error(`a writer ended: ${said.join(" ")}`)
        return Number(said[1])
      }
      return { child, says }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

const quantile = (times: ReadonlyArray<number>, part: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0

/** Milliseconds from a change's start on one console to its event on another, one after the other while `goesOn`. */
const latencies = Effect.fnUntraced(function* (url: string, name: string, goesOn: (done: number) => boolean) {
  const one = yield* consoleOn(url, `${name}-one`)
  const other = yield* consoleOn(url, `${name}-other`)
  const events = yield* other.events.subscribe
  // A console hears of what happens after its first look at the board.
  yield* other.board.config
  const heard = (id: string, version: number): Effect.Effect<void> =>
    Effect.flatMap(PubSub.take(events), ({ data, event }) =>
      event === "kanban.changed" && data.id === id && data.version === version ? Effect.void : heard(id, version)
    )
  const answered: Array<number> = []
  const told: Array<number> = []
  let { id, version } = yield* one.board.create({ title: "Latency" })
  yield* heard(id, version)
  while (goesOn(told.length)) {
    const start = performance.now()
    const hearing = yield* Effect.forkChild(heard(id, version + 1))
    const changed = yield* Effect.option(one.board.patch(id, { version, title: `${version}` }))
    // Refused by a database that's too slow; whether it was made is known by the next one.
    if (changed._tag === "None") {
      yield* Fiber.interrupt(hearing)
      version = yield* Effect.map(again(one.board.get(id)), (task) => task.version)
      continue
    }
    version = changed.value.version
    answered.push(performance.now() - start)
    yield* Fiber.join(hearing)
    told.push(performance.now() - start)
  }
  return { answered, told }
}, Effect.scoped)

const again = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> => Effect.catch(effect, () => again(effect))

const row = (name: string, times: ReadonlyArray<number>) => {
  const [median, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  return `${name.padEnd(46)}median ${median.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  (${times.length})`
}

/** Prints how fast consoles write one board together, and how soon each hears of the others' changes. */
export const sharedBoardLoad = Effect.fnUntraced(function* (url: string, changes: number) {
  const alone = yield* latencies(url, "alone", (done) => done < changes)
  console.log(row("a change on another console, told", alone.told))
  const each = Math.ceil(changes / 2)
  const writers = yield* Effect.forEach(Array.from({ length: CONSOLES }), (_, index) => startWriter(url, index, each))
  yield* Effect.promise(() => Promise.all(writers.map(({ says }) => says("ready"))))
  let isDone = false
  const meanwhile = yield* Effect.forkChild(latencies(url, "meanwhile", () => !isDone))
  yield* Effect.sleep("500 millis")
  const start = performance.now()
  for (const { child } of writers) child.stdin?.write("go\n")
  const refused = yield* Effect.promise(() => Promise.all(writers.map(({ says }) => says("done"))))
  const seconds = (performance.now() - start) / 1000
  isDone = true
  const { answered, told } = yield* Fiber.join(meanwhile)
  const rate = Math.round((each * CONSOLES + told.length) / seconds)
  console.log(`${"8 consoles, 4 changes at once each".padEnd(46)}${rate} changes/s together`)
  const tries = refused.reduce((sum, one) => sum + one, 0)
  if (tries > 0) console.log(`${tries} changes were refused because the database was too slow, and tried again`)
  console.log(row("... a change meanwhile, answered", answered))
  console.log(row("... a change meanwhile, told on another console", told))
}, Effect.scoped)
