import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { measureHeap } from "../bench/support/heap.ts"

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "close")
  child.kill("SIGKILL")
  await gone
}

/** The gateway in its own process, which forgets everything when it's killed. */
export const startGateway = (port: number, token: string) => {
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(
      process.execPath,
      ["--import", pathOf("../test/support/sourceDefines.mjs"), pathOf("./gateway.ts"), String(port), token],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    await once(child.stdout ?? child, "data")
    return child
  }
  let running = start()
  return {
    ready: () => running,
    kill: async () => killed(await running),
    restart: async () => {
      running = start()
      await running
    }
  }
}

/** A process's current memory and descriptors. */
export interface Holdings {
  readonly residentMb: number
  readonly descriptors: number
}

export interface ConsoleOptions {
  readonly port: number
  readonly home: string
  readonly gatewayHome: string
  readonly gatewayPort: number
  readonly token: string
  readonly logFile: string
}

/** The built console in its own process, always with the same port and home. */
export const startConsole = (options: ConsoleOptions) => {
  const clockFile = `${options.home}/clock`
  const log = createWriteStream(options.logFile, { flags: "a" })
  let output = ""
  let inspector = ""
  let offset = 0
  writeFileSync(clockFile, "0")
  const answers = async (): Promise<boolean> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${options.port}/api/version`, { signal: AbortSignal.timeout(1000) })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(
      process.execPath,
      ["--inspect=127.0.0.1:0", "--import", pathOf("./clockJumps.mjs"), pathOf("../dist/cli.js")],
      {
        cwd: options.home,
        env: {
          PATH: process.env.PATH ?? "",
          HOME: options.home,
          PORT: String(options.port),
          SVC_HOME: `${options.home}/svc`,
          GATEWAY_HOME: options.gatewayHome,
          GATEWAY_URL: `http://127.0.0.1:${options.gatewayPort}`,
          GATEWAY_TOKEN: options.token,
          SOAK_CLOCK_FILE: clockFile
        },
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-20_000)
        inspector = /ws:\/\/127\.0\.0\.1:\S+/.exec(chunk.toString())?.[0] ?? inspector
        log.write(chunk)
      })
    }
    for (let tries = 0; tries < 300; tries += 1) {
      if (await answers()) return child
      if (child.exitCode !== null) throw new Error(`the console exited with ${child.exitCode}: ${output}`)
      await sleep(50)
    }
    throw new Error(`the console isn't answering: ${output}`)
  }
  let running = start()
  return {
    url: `http://127.0.0.1:${options.port}`,
    ready: () => running,
    /** Whether it's still running, unless it was stopped on purpose. */
    isAlive: async () => (await running).exitCode === null && (await running).signalCode === null,
    output: () => output,
    killAndRestart: async () => {
      await killed(await running)
      running = start()
      await running
    },
    /** Stops it and returns its exit code and how many milliseconds that took. */
    end: async () => {
      const child = await running
      const gone = once(child, "close")
      const asked = performance.now()
      child.kill("SIGTERM")
      await gone
      log.end()
      return { code: child.exitCode, ms: performance.now() - asked }
    },
    /** Megabytes used for JavaScript after a full collection. */
    heap: async (): Promise<number> => (await measureHeap(inspector)) / 2 ** 20,
    jump: (ms: number) => {
      offset += ms
      writeFileSync(clockFile, String(offset))
    },
    holdings: async (): Promise<Holdings> => {
      const { pid } = await running
      const status = readFileSync(`/proc/${pid}/status`, "utf8")
      return {
        residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024,
        descriptors: readdirSync(`/proc/${pid}/fd`).length
      }
    }
  }
}

export type ConsoleUnderSoak = ReturnType<typeof startConsole>
