import { spawn } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { clearStamp, sourcesDigest, writeStamp } from "./buildState.ts"
import { pruneChunks } from "./pruneChunks.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const VITE = join(root, "node_modules/vite/bin/vite.js")

/** Whether what builds the console is installed; says what to do if it isn't. */
export const canBuild = (): boolean => {
  if (existsSync(VITE)) return true
  console.error(
    "agent-console: the packages that build the console aren't here, because npm was told to leave them out: run `npm ci --include=dev --ignore-scripts=false` in this folder, then try again"
  )
  return false
}

/** Arguments of the two Vite builds: the server with the command line, and the web app. */
export const VITE_BUILDS = {
  server: ["build"],
  web: ["build", "--config", "web/vite.config.ts"]
} as const

/** Starts one Vite process on this Node. It builds what people run, even when called from a test runner. */
export const spawnVite = (args: ReadonlyArray<string>, stdio: "inherit" | "pipe", buildId = "") =>
  spawn(process.execPath, [VITE, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", CONSOLE_BUILD_ID: buildId },
    stdio: ["ignore", stdio, stdio]
  })

const runVite = (args: ReadonlyArray<string>, quiet: boolean, buildId: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawnVite(args, quiet ? "pipe" : "inherit", buildId)
    const output: Array<Buffer> = []
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk))
    child.stderr?.on("data", (chunk: Buffer) => output.push(chunk))
    child.on("error", () => resolve(false))
    child.on("close", (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })

/** Builds the server and web app in parallel and stamps the result; `quiet` only prints failures. */
export const build = async (quiet: boolean): Promise<boolean> => {
  if (!canBuild()) return false
  const digest = sourcesDigest(root)
  // Some file systems only store whole milliseconds: a file written right away must not look older.
  const startedAt = Math.floor(performance.timeOrigin + performance.now()) - 1
  clearStamp(root)
  const buildId = digest.slice(0, 16)
  const results = await Promise.all(Object.values(VITE_BUILDS).map((args) => runVite(args, quiet, buildId)))
  const whole = results.every((succeeded) => succeeded)
  if (whole) {
    // Builds of earlier versions marked the folder as CommonJS, which these modules aren't.
    rmSync(join(root, "dist/package.json"), { force: true })
    pruneChunks(root, startedAt)
    writeStamp(root, digest)
  }
  return whole
}

if (import.meta.main) process.exitCode = (await build(false)) ? 0 : 1
