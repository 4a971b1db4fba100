import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Data, Effect, Schema } from "effect"
import { findGatewayScript } from "./gatewayScript.ts"

/** Both generations of the gateway that the console speaks to. */
export const GATEWAY_VERSIONS = ["2026.9.6", "2026.3.23-2"] as const

/** How to start a gateway. */
export interface GatewayOptions {
  readonly version: string
  /** Keep its state here, so that it can be started again; default a directory removed at the end. */
  readonly home?: string
  readonly port?: number
  readonly token?: string
  /** Further options of the script. */
  readonly extra?: ReadonlyArray<string>
}

const Printed = Schema.Struct({
  GATEWAY_URL: Schema.String,
  GATEWAY_TOKEN: Schema.String,
  GATEWAY_VERSION: Schema.String,
  GATEWAY_HOME: Schema.String,
  GATEWAY_CLI: Schema.String,
  MOCK_MODEL_URL: Schema.String
})

/** A gateway that answers. All of it can be handed from the global set-up to the tests. */
export interface RealGateway {
  readonly version: string
  /** HTTP origin. */
  readonly url: string
  readonly token: string
  /** The gateway's dot-directory. */
  readonly gatewayHome: string
  /** Its own command line, bound to its home. */
  readonly cli: string
  readonly modelUrl: string
}

export class GatewayStartError extends Data.TaggedError("GatewayStartError")<{ readonly message: string }> {}

const argumentsOf = ({ version, home, port, token, extra }: GatewayOptions): ReadonlyArray<string> => [
  "--version",
  version,
  ...(home === undefined ? [] : ["--home", home]),
  ...(port === undefined ? [] : ["--port", String(port)]),
  ...(token === undefined ? [] : ["--token", token]),
  ...(extra ?? [])
]

const ready = (child: ChildProcess, version: string) =>
  Effect.callback<Record<string, string>, GatewayStartError>((resume) => {
    const settings: Record<string, string> = {}
    let complaints = ""
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) return
    stderr.on("data", (chunk) => {
      complaints = `${complaints}${chunk}`.slice(-4000)
    })
    createInterface({ input: stdout }).on("line", (line) => {
      if (line === "READY") return resume(Effect.succeed(settings))
      const at = line.indexOf("=")
      if (at > 0) settings[line.slice(0, at)] = line.slice(at + 1)
    })
    child.once("exit", (code) =>
      resume(Effect.fail(new GatewayStartError({ message: `gateway ${version} ended with ${code}:\n${complaints}` })))
    )
  })

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  })

/** Processes that a process started. */
const childrenOf = (pid: number): ReadonlyArray<{ readonly pid: number; readonly command: string }> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, child, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return Number(parent) === pid && command !== undefined ? [{ pid: Number(child), command }] : []
    })

/** Kills the gateway, and with it the script that started it. */
const kill = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    for (const { pid, command } of childrenOf(child.pid ?? 0))
      if (!command.includes("mock-model")) process.kill(pid, "SIGKILL")
  })

/** Starts a gateway that can be killed, and waits until it is ready; it is stopped with the scope. */
export const startMortalGateway = Effect.fnUntraced(function* (options: GatewayOptions) {
  const script = findGatewayScript()
  if (script === undefined) return yield* new GatewayStartError({ message: "there is no gateway script" })
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn("bash", [script, ...argumentsOf(options)], { stdio: ["ignore", "pipe", "pipe"] })),
    stop
  )
  const settings = yield* ready(child, options.version).pipe(Effect.flatMap(Schema.decodeUnknownEffect(Printed)))
  const gateway: RealGateway = {
    version: settings.GATEWAY_VERSION,
    url: settings.GATEWAY_URL,
    token: settings.GATEWAY_TOKEN,
    gatewayHome: settings.GATEWAY_HOME,
    cli: settings.GATEWAY_CLI,
    modelUrl: settings.MOCK_MODEL_URL
  }
  return { gateway, kill: kill(child) }
})

/** Starts a gateway and waits until it is ready; it is stopped with the scope. */
export const startGateway = (options: GatewayOptions) =>
  startMortalGateway(options).pipe(Effect.map(({ gateway }) => gateway))
