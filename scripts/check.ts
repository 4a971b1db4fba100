import { execFileSync, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { ensureTools, toolPath } from "./tool.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** What the compiler remembers of the files that haven't changed since. */
const KNOWN_TYPES = "node_modules/.cache/types.tsbuildinfo"

/**
 * One program for all of the code, by the compiler that knows Effect, so that every file is read and checked once. The
 * path is that of the version of TypeScript that the project has.
 */
const compiler = (): string =>
  execFileSync(toolPath("effect-tsgo"), ["get-exe-path"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32"
  }).trim()

interface Step {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
}

const steps = (): ReadonlyArray<Step> => [
  {
    name: "types and Effect",
    command: compiler(),
    args: ["--noEmit", "--incremental", "--tsBuildInfoFile", KNOWN_TYPES]
  },
  { name: "lint and format", command: toolPath("biome"), args: ["check", "."] },
  { name: "house rules", command: process.execPath, args: ["scripts/checkHouse.ts"] },
  { name: "Qwik rules", command: process.execPath, args: ["scripts/checkQwik.ts"] }
]

/** Runs one step; what it writes is shown together, at its end. */
const run = (step: Step): Promise<boolean> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const child = spawn(step.command, step.args, { cwd: root, shell: process.platform === "win32" })
    const output: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk))
    child.on("error", (error) => output.push(Buffer.from(`${error.message}\n`)))
    child.on("close", (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      if (code !== 0) process.stderr.write(Buffer.concat(output))
      console.log(`${code === 0 ? "passed" : "FAILED"} ${step.name} in ${seconds} s`)
      resolve(code === 0)
    })
  })

/** `npm run check`: all steps side by side; whether all passed. */
export const check = async (): Promise<boolean> => {
  ensureTools()
  const results = await Promise.all(steps().map(run))
  return results.every((passed) => passed)
}

if (import.meta.main) process.exitCode = (await check()) ? 0 : 1
