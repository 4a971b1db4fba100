import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { TASK_STATUSES } from "../src/contract/board.ts"
import { Board } from "../src/services/board/Board.ts"
import type { BoardShape } from "../src/services/board/BoardShape.ts"
import { DESCRIPTION, freshHome, freshServer, onServer } from "./support/boardPlaces.ts"
import { sharedBoardLoad } from "./support/sharedBoardLoad.ts"

const SIZES = [1000, 10_000]
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

const all = { statuses: [], priorities: [] } as const

/** `part` of the usual number of rounds. */
const benchmark = Effect.fnUntraced(function* (size: number, part: number) {
  const board = yield* Board
  const rounds = (usual: number) => Math.max(10, Math.round(usual * part))
  const page = yield* board.list({ ...all, limit: 200, offset: Math.floor(size / 2) })
  const ids = page.items.map((task) => task.id)
  const versions = new Map(page.items.map((task) => [task.id, task.version]))
  const pick = (index: number) => ids[index % ids.length] ?? ""
  const compared = (id: string, change: (version: number) => ReturnType<BoardShape["patch"]>) =>
    Effect.map(change(versions.get(id) ?? 0), (task) => versions.set(id, task.version))
  const listed = (limit: number) => (index: number) => board.list({ ...all, limit, offset: (index * 97) % size })
  return {
    "list 50": yield* measure(rounds(1500), listed(50)),
    "list 200": yield* measure(rounds(500), listed(200)),
    "list 50, search": yield* measure(rounds(60), () => board.list({ ...all, limit: 50, offset: 0, q: "task 77" })),
    "list 50, label": yield* measure(rounds(300), () => board.list({ ...all, limit: 50, offset: 0, label: "group-5" })),
    create: yield* measure(rounds(1000), (index) =>
      board.create({ title: `Created ${index}`, description: DESCRIPTION })
    ),
    patch: yield* measure(rounds(3000), (index) =>
      compared(pick(index), (version) => board.patch(pick(index), { version, title: `Changed ${index}` }))
    ),
    reorder: yield* measure(rounds(1000), (index) =>
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

const inFreshHome = (size: number, part: number) =>
  Effect.scoped(Effect.flatMap(freshHome(size), (context) => Effect.provideContext(benchmark(size, part), context)))

const onFreshServer = Effect.fnUntraced(function* (size: number, part: number) {
  const url = yield* freshServer(size)
  const figures = yield* Effect.provide(benchmark(size, part), onServer(url, "bench"))
  return { url, figures }
})

const line = (name: string, figures: Figures): string =>
  [
    name.padEnd(18),
    `median ${figures.median.toFixed(3)} ms`.padStart(18),
    `p99 ${figures.p99.toFixed(3)} ms`.padStart(16),
    `cpu ${figures.cpu.toFixed(3)} ms`.padStart(15),
    `${Math.round(figures.perSecond)}/s`.padStart(10),
    `${(figures.bytes / 1024).toFixed(1)} KB written`.padStart(18)
  ].join("  ")

const printAll = (medians: Map<string, Array<number>>, figures: Readonly<Record<string, Figures>>) => {
  for (const [name, one] of Object.entries(figures)) {
    console.log(line(name, one))
    medians.set(name, [...(medians.get(name) ?? []), one.median])
  }
}

const valueAfter = (args: ReadonlyArray<string>, name: string) =>
  args.includes(name) ? args[args.indexOf(name) + 1] : undefined

/**
 * Times the board's store and rules, durable on disk, with 1,000 and 10,000 tasks, and how they grow. With
 * `--store postgres`, the same beside it on a server of its own on this machine (processor time and bytes are the
 * console's alone), and what several consoles do with it together. `--part 0.1` does a tenth of the rounds.
 */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const isShared = valueAfter(args, "--store") === "postgres"
  const part = Number(valueAfter(args, "--part") ?? 1)
  const medians = new Map<string, Array<number>>()
  for (const size of SIZES) {
    console.log(`\n${size} tasks${isShared ? ", SQLite" : ""}`)
    printAll(medians, await Effect.runPromise(inFreshHome(size, part)))
    if (!isShared) continue
    console.log(`\n${size} tasks, PostgreSQL`)
    const program = Effect.gen(function* () {
      const { figures, url } = yield* onFreshServer(size, part)
      printAll(new Map(), figures)
      if (size === SIZES.at(-1)) yield* sharedBoardLoad(url, Math.round(2000 * part))
    })
    await Effect.runPromise(Effect.scoped(program))
  }
  console.log(`\nMedian at 10,000 tasks against 1,000${isShared ? ", SQLite" : ""}`)
  for (const [name, [small = 0, large = 0]] of medians) {
    console.log(`${name.padEnd(18)}  ${(large / small).toFixed(2)} x`)
  }
}
