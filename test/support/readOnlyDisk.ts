import { Effect } from "effect"
import { makeApp } from "./makeApp.ts"

// Sends changes to a console whose gateway folder is on a read-only disk, and prints status and body.
const gatewayHome = process.argv[2] ?? ""

const REQUESTS: ReadonlyArray<readonly [method: string, path: string, body: object | undefined]> = [
  ["GET", "/api/workspace/soul", undefined],
  ["GET", "/api/memories", undefined],
  ["GET", "/api/files/tree", undefined],
  ["PUT", "/api/workspace/soul", { content: "new" }],
  ["POST", "/api/memories", { text: "new" }],
  ["PUT", "/api/memories/section", { title: "General", content: "new" }],
  ["DELETE", "/api/memories", { query: "old" }],
  ["POST", "/api/files/write", { path: "new.md", content: "new", mtime: 0 }],
  ["POST", "/api/files/mkdir", { path: "new" }],
  ["POST", "/api/files/delete", { path: "SOUL.md" }]
]

const program = Effect.gen(function* () {
  const workspace = `${gatewayHome}/workspace`
  const app = yield* makeApp({
    settings: { gatewayHome, memoryPath: `${workspace}/MEMORY.md`, memoryDir: `${workspace}/memory` }
  })
  for (const [method, path, body] of REQUESTS) {
    const answer = yield* app.request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = yield* Effect.promise(() => answer.text())
    yield* Effect.sync(() => process.stdout.write(`${method} ${path} ${answer.status} ${text}\n`))
  }
})

Effect.runFork(Effect.scoped(program))
