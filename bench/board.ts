import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Redacted } from "effect"
import { TASK_STATUSES } from "../src/contract/answers/BoardAnswers.ts"
import { Board, type BoardShape } from "../src/services/board/Board.ts"
import { PostgresBoard } from "../src/services/board/store/postgresBoard.ts"
import { EventBus } from "../src/services/platform/events/EventBus.ts"
import { Settings } from "../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../test/support/boardStores.ts"
import { freePort } from "../test/support/freePort.ts"
import { postgresServer } from "../test/support/postgres.ts"
import { testSettings } from "../test/support/testSettings.ts"

const SIZES = [1000, 10_000]
const DESCRIPTION = "Look at the failing job, find the cause and say what you would change. ".repeat(4)

interface Figures {
  readonly median: number
  readonly p99: number
  readonly perSecond: number
  readonly bytes: number
  /** Milliseconds of CPU time, which other programs don't affect. */
  readonly cpu: number
}

/** Bytes this process has passed to write calls, including the database's log and checkpoints. */
const bytesWritten = (): number => Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0)

const measure = Effect.fnUntraced(function* <E>(
  count: number,
  operation: (index: number) => Effect.Effect<unknown, E>
) {
  const times: Array<number> = []
  const bytes = bytesWritten()
  const start = performance.now()
  const cpu = process.cpuUsage()
  for (let index = 0; index < count; index += 1) {
    const before = performance.now()
    yield* operation(index)
    times.push(performance.now() - before)
  }
  const total = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  return {
    median: times[Math.floor(count / 2)] ?? 0,
    p99: times[Math.floor(count * 0.99)] ?? 0,
    perSecond: (count / total) * 1000,
    cpu: (user + system) / 1000 / count,
    bytes: (bytesWritten() - bytes) / count
  } satisfies Figures
})

const fill = Effect.fnUntraced(function* (board: BoardShape, size: number) {
  for (let index = 0; index < size; index += 1) {
    yield* board.create({
      title: `Task ${index} of the board`,
      description: DESCRIPTION,
      status: TASK_STATUSES[index % TASK_STATUSES.length] ?? "todo",
      labels: index % 3 === 0 ? ["bench", `group-${index % 20}`] : [],
      ...(index % 2 === 0 ? { assignee: "agent:main" } : {})
    })
  }
})

const all = { statuses: [], priorities: [] } as const

const benchmark = Effect.fnUntraced(function* (size: number) {
  const board = yield* Board
  yield* fill(board, size)
  const page = yield* board.list({ ...all, limit: 200, offset: Math.floor(size / 2) })
  const ids = page.items.map((task) => task.id)
  const versions = new Map(page.items.map((task) => [task.id, task.version]))
  const pick = (index: number) => ids[index % ids.length] ?? ""
  const compared = (id: string, change: (version: number) => ReturnType<BoardShape["patch"]>) =>
    Effect.map(change(versions.get(id) ?? 0), (task) => versions.set(id, task.version))
  const listed = (limit: number) => (index: number) => board.list({ ...all, limit, offset: (index * 97) % size })
  return {
    "list 50": yield* measure(1500, listed(50)),
    "list 200": yield* measure(500, listed(200)),
    "list 50, search": yield* measure(60, () => board.list({ ...all, limit: 50, offset: 0, q: "task 77" })),
    "list 50, label": yield* measure(300, () => board.list({ ...all, limit: 50, offset: 0, label: "group-5" })),
    create: yield* measure(1000, (index) => board.create({ title: `Created ${index}`, description: DESCRIPTION })),
    patch: yield* measure(3000, (index) =>
      compared(pick(index), (version) => board.patch(pick(index), { version, title: `Changed ${index}` }))
    ),
    reorder: yield* measure(1000, (index) =>
      compared(pick(index), (version) =>
        board.reorder(pick(index), {
          version,
          targetStatus: TASK_STATUSES[(index * 7) % TASK_STATUSES.length] ?? "todo",
          targetIndex: (index * 31) % Math.floor(size / 6)
        })
      )
    )
  }
})

const inFreshDatabase = Effect.fnUntraced(function* (size: number) {
  const server = yield* postgresServer(yield* Effect.promise(freePort), true)
  const self = { device: "bench", owner: "bench:1", name: "bench", gateway: "here:1" }
  const store = PostgresBoard({ url: Redacted.make(server.url("postgres")), self })
  return yield* benchmark(size).pipe(
    Effect.provide(Board.layer.pipe(Layer.provide(Layer.merge(store, EventBus.layer))))
  )
}, Effect.scoped)

const inFreshHome = Effect.fnUntraced(function* (size: number) {
  const svcHome = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(svcHome, { recursive: true, force: true })))
  const layer = Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))
  return yield* benchmark(size).pipe(Effect.provide(layer))
}, Effect.scoped)

const line = (name: string, figures: Figures): string =>
  [
    name.padEnd(18),
    `median ${figures.median.toFixed(3)} ms`.padStart(18),
    `p99 ${figures.p99.toFixed(3)} ms`.padStart(16),
    `cpu ${figures.cpu.toFixed(3)} ms`.padStart(15),
    `${Math.round(figures.perSecond)}/s`.padStart(10),
    `${(figures.bytes / 1024).toFixed(1)} KB written`.padStart(18)
  ].join("  ")

/**
 * Times the board's store and rules, durable on disk, with 1,000 and 10,000 tasks, and how they grow. With
 * `--store postgres`, on a server of its own on this machine; then processor time and bytes are the console's alone.
 */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const place = args.join(" ") === "--store postgres" ? inFreshDatabase : inFreshHome
  const medians = new Map<string, Array<number>>()
  for (const size of SIZES) {
    console.log(`\n${size} tasks`)
    const figures = await Effect.runPromise(place(size))
    for (const [name, one] of Object.entries(figures)) {
      console.log(line(name, one))
      medians.set(name, [...(medians.get(name) ?? []), one.median])
    }
  }
  console.log("\nMedian at 10,000 tasks against 1,000")
  for (const [name, [small = 0, large = 0]] of medians) {
    console.log(`${name.padEnd(18)}  ${(large / small).toFixed(2)} x`)
  }
}
