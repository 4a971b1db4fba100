import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { EXIT_CODES, Failure } from "./Failure.ts"
import { gatewayConfig } from "./gatewayConfig.ts"
import { startMockModel } from "./mockModel.ts"
import type { StartOptions } from "./options.ts"

/** A gateway that isn't ready by then won't be. */
const READY_MS = 180_000
const LOG_LINES = 20
/** What the gateway gets of this process's variables: nothing that could steer it, or that isn't its business. */
const PASSED_ON = ["LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TZ", "USER"]

/** A gateway that answers. */
export interface RunningGateway {
  readonly version: string
  /** HTTP origin. */
  readonly url: string
  readonly token: string
  readonly pid: number
  /** Its dot-directory. */
  readonly gatewayHome: string
  /** Its own command line, bound to its home. */
  readonly cli: string
  readonly modelUrl: string
}

const freePort = async (wanted: number): Promise<number> => {
  const server = createServer().listen(wanted, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    throw new Failure(EXIT_CODES.portInUse, `Port ${wanted} is in use.`)
  }
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const variablesIn = (home: string): Record<string, string> => {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(passed),
    PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
    HOME: home,
    TMPDIR: join(home, "tmp"),
    NO_COLOR: "1",
    // Otherwise it starts itself once more, and the process known here isn't the gateway.
    OPENCLAW_NO_RESPAWN: "1"
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The gateway's own command line as a program, for those who run it from elsewhere. */
const commandLine = (home: string, entry: string): string => {
  const variables = Object.entries(variablesIn(home)).map(([name, value]) => `${name}=${quoted(value)}`)
  return `#!/bin/sh\nexec env -i ${variables.join(" ")} ${quoted(process.execPath)} ${quoted(entry)} "$@"\n`
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.status === 200,
    () => false
  )

/** Makes the home, and answers where things are in it. */
const prepareHome = async (kept: string | undefined) => {
  const home = kept === undefined ? await mkdtemp(join(tmpdir(), "agent-console-gateway-")) : resolve(kept)
  const gatewayHome = join(home, ".openclaw")
  for (const folder of [gatewayHome, join(home, "tmp"), join(home, "bin")]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  const config = join(gatewayHome, "openclaw.json")
  return {
    home,
    gatewayHome,
    config,
    cli: join(home, "bin", "openclaw"),
    output: join(home, "gateway.out"),
    before: existsSync(config) ? readFileSync(config, "utf8") : undefined
  }
}

/**
 * Starts the gateway of an installed program with a scripted model, and waits until it answers. Everything it starts ends
 * with this process, whatever that dies of.
 */
export const startGateway = async (
  entry: string,
  options: StartOptions,
  { stop, logs }: { readonly stop: AbortSignal; readonly logs: boolean }
) => {
  const port = await freePort(options.port)
  const token = options.token ?? randomBytes(24).toString("hex")
  const place = await prepareHome(options.home)
  const model = await startMockModel()
  const facts = {
    port,
    token,
    stateFolder: place.gatewayHome,
    logFile: join(place.home, "gateway.log"),
    modelUrl: `${model.url}/v1`,
    settings: options.settings
  }
  await writeFile(place.config, gatewayConfig(facts, place.before), { mode: 0o600 })
  await writeFile(place.cli, commandLine(place.home, entry))
  await chmod(place.cli, 0o755)

  const keeperArguments = [place.home, options.home === undefined ? "remove" : "keep", logs ? "" : place.output, entry]
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL("./keeper.ts", import.meta.url)), ...keeperArguments, "gateway", "run", "--port", `${port}`],
    {
      env: variablesIn(place.home),
      stdio: ["pipe", "pipe", "inherit"],
      // Ctrl-C in a terminal reaches this process alone, which then ends the others in their order.
      detached: true
    }
  )
  let end = ""
  let pid = 0
  const ended = new Promise<void>((resolve) => {
    keeper.once("exit", () => resolve())
    createInterface({ input: keeper.stdout }).on("line", (line) => {
      if (line.startsWith("pid ")) pid = Number(line.slice(4))
      if (!line.startsWith("ended ")) return
      end = line.slice(6)
      resolve()
    })
  })
  let isOver = false
  ended.then(() => {
    isOver = true
  })

  const close = async (): Promise<void> => {
    keeper.stdin.destroy()
    if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, "exit")
    await model.close()
  }
  /** Says that the gateway isn't running, with what it wrote last. */
  const failure = (sentence: string): Failure => {
    const written = existsSync(place.output) ? readFileSync(place.output, "utf8").trimEnd().split("\n") : []
    return new Failure(EXIT_CODES.notRunning, sentence, written.slice(-LOG_LINES).join("\n"))
  }

  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + READY_MS
  while (!stop.aborted && !(await isReady(url))) {
    if (!isOver && Date.now() < deadline) {
      await sleep(200)
      continue
    }
    const problem = failure(
      isOver ? `The gateway ended before it was ready (${end}).` : `The gateway isn't ready after ${READY_MS / 1000} s.`
    )
    await close()
    throw problem
  }
  const { version } = options
  const gateway: RunningGateway = {
    version,
    url,
    token,
    pid,
    gatewayHome: place.gatewayHome,
    cli: place.cli,
    modelUrl: model.url
  }
  return { gateway, ended: ended.then(() => failure(`The gateway ended by itself (${end}).`)), close }
}
