import { mkdirSync, writeFileSync } from "node:fs"
import { Effect } from "effect"
import { fillDisk, makeRoom } from "./diskFill.ts"
import { makeApp } from "./makeApp.ts"

// Fills a console's disk, sends changes, frees space, sends them again, and prints each status and body.
const disk = process.argv[2] ?? ""
const workspace = `${disk}/gateway/workspace`

const CHANGES: ReadonlyArray<readonly [method: string, path: string, body: object]> = [
  ["PUT", "/api/workspace/soul", { content: "new ".repeat(5000) }],
  ["POST", "/api/memories", { text: "new" }],
  ["PUT", "/api/memories/section", { title: "General", content: "new ".repeat(5000) }],
  ["POST", "/api/files/write", { path: "new.md", content: "new ".repeat(5000), mtime: 0 }],
  ["POST", "/api/files/delete", { path: "TOOLS.md" }],
  ["POST", "/api/agentlog", { message: "new ".repeat(5000) }],
  ["POST", "/api/kanban/tasks", { title: "new", description: "new ".repeat(2000) }]
]
const READS = [
  "/api/workspace/soul",
  "/api/memories",
  "/api/files/tree",
  "/api/agentlog",
  "/api/kanban/tasks",
  "/readyz",
  "/api/doctor"
]

const program = Effect.gen(function* () {
  mkdirSync(`${workspace}/memory`, { recursive: true })
  writeFileSync(`${workspace}/SOUL.md`, "calm\n")
  writeFileSync(`${workspace}/TOOLS.md`, "none\n")
  writeFileSync(`${workspace}/MEMORY.md`, "## General\n- old\n")
  const app = yield* makeApp({
    settings: {
      svcHome: `${disk}/svc`,
      gatewayHome: `${disk}/gateway`,
      memoryPath: `${workspace}/MEMORY.md`,
      memoryDir: `${workspace}/memory`
    }
  })
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const answer = yield* app.request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = yield* Effect.promise(() => answer.text())
    yield* Effect.sync(() => process.stdout.write(`${method} ${path} ${answer.status} ${text}\n`))
  })
  yield* Effect.sync(() => fillDisk(disk))
  for (const change of CHANGES) yield* send(...change)
  for (const path of READS) yield* send("GET", path)
  yield* Effect.sync(() => makeRoom(disk))
  yield* Effect.sleep("1 second")
  yield* send("GET", "/readyz")
  for (const change of CHANGES) yield* send(...change)
})

Effect.runFork(Effect.scoped(program))
