import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, rmSync, watch } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { exitCodes } from "../src/cli/exitCodes.ts"
import { canBuild, spawnVite, VITE_BUILDS } from "./build.ts"
import { clearStamp } from "./buildState.ts"

/**
 * `npm run dev`: rebuilds server and web app on every change and restarts the server. Arguments go to `agent-console`;
 * without any, and without the settings a gateway needs, it's the demo. The web app has a page of all its pieces at
 * `/pieces`.
 */
const root = fileURLToPath(new URL("..", import.meta.url))
const program = join(root, "dist/cli.js")

/** Vite writes several files in a row; the server restarts once nothing has changed for this long. */
const QUIET_MS = 200

if (!canBuild()) process.exit(1)
mkdirSync(join(root, "dist"), { recursive: true })
clearStamp(root)
rmSync(program, { force: true })
const builders = [VITE_BUILDS.server, [...VITE_BUILDS.web, "--mode", "pieces"]].map((args) =>
  spawnVite([...args, "--watch"], "inherit")
)

const args = process.argv.slice(2)
let server: ChildProcess | undefined
let latestChange = 0

const start = () => {
  if (!existsSync(program)) return
  server = spawn(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" })
  server.once("exit", (code) => {
    if (code !== exitCodes.settings || args.length > 0) return
    console.log("Starting the demo instead.")
    args.push("--demo")
    start()
  })
}

const restart = () => {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return start()
  server.once("exit", start)
  server.kill("SIGTERM")
}

watch(join(root, "dist"), async (_event, name) => {
  if (name !== "cli.js" && name !== "chunks") return
  const change = ++latestChange
  await sleep(QUIET_MS)
  if (change === latestChange) restart()
})

const stop = () => {
  for (const child of [...builders, server]) child?.kill("SIGTERM")
  process.exit()
}
process.on("SIGINT", stop)
process.on("SIGTERM", stop)
