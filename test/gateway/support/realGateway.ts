import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Data, Effect, Schema, type Scope } from "effect"
import { EXIT_CODES } from "../../../scripts/gateway/Failure.ts"
import { PROJECT_ROOT } from "./projectRoot.ts"

/** How to start a gateway. */
export interface GatewayOptions {
  readonly version: string
  /** Keep its state here, so that it can be started again; default a directory removed at the end. */
  readonly home?: string
  readonly port?: number
  readonly token?: string
  /** Further options of the starter. */
  readonly extra?: ReadonlyArray<string>
}

/** What makes the newer generation ask for an approval of every device, also on loopback. */
export const MANUAL_PAIRING = ["--set", "gateway.nodes.pairing.autoApproveLocal=false"]

const Printed = Schema.Struct({
  version: Schema.String,
  url: Schema.String,
  token: Schema.String,
  pid: Schema.Int,
  gatewayHome: Schema.String,
  cli: Schema.String,
  modelUrl: Schema.String
})
const decodeLine = Schema.decodeUnknownEffect(Schema.fromJsonString(Printed))

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
  /** Why it can't be installed here; then nothing else of it is there but its version. */
  readonly missing?: string
}

export class GatewayStartError extends Data.TaggedError("GatewayStartError")<{
  readonly message: string
  /** Why the gateway can't be installed, where that's the cause. */
  readonly missing?: string
}> {}

const argumentsOf = ({ version, home, port, token, extra }: GatewayOptions): ReadonlyArray<string> => [
  "--version",
  version,
  ...(home === undefined ? [] : ["--home", home]),
  ...(port === undefined ? [] : ["--port", String(port)]),
  ...(token === undefined ? [] : ["--token", token]),
  ...(extra ?? [])
]

/** The line that the starter prints once the gateway answers. */
const ready = (child: ChildProcess, version: string) =>
  Effect.callback<string, GatewayStartError>((resume) => {
    let complaints = ""
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) return
    stderr.on("data", (chunk) => {
      complaints = `${complaints}${chunk}`.slice(-4000)
    })
    createInterface({ input: stdout }).once("line", (line) => resume(Effect.succeed(line)))
    child.once("close", (code) => {
      const message = `gateway ${version} ended with ${code}:\n${complaints}`
      const missing = complaints.trimEnd().split("\n").at(-1) ?? ""
      resume(Effect.fail(new GatewayStartError(code === EXIT_CODES.notInstalled ? { message, missing } : { message })))
    })
  })

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  })

/** Kills the gateway, and waits until its starter has ended too. */
const kill = (child: ChildProcess, pid: number) =>
  Effect.callback<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    process.kill(pid, "SIGKILL")
  })

/** Starts a gateway that can be killed, and waits until it is ready; it is stopped with the scope. */
export const startMortalGateway = Effect.fnUntraced(function* (options: GatewayOptions) {
  const args = [join(PROJECT_ROOT, "scripts/gateway/main.ts"), "--json", ...argumentsOf(options)]
  const child = yield* Effect.acquireRelease(
    // Its standard input is closed with this process, and then it ends: also when this one is killed.
    Effect.sync(() => spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] })),
    stop
  )
  const { pid, ...gateway } = yield* ready(child, options.version).pipe(Effect.flatMap(decodeLine))
  return { gateway, kill: kill(child, pid) }
})

/** Starts a gateway and waits until it is ready; it is stopped with the scope. */
export const startGateway = (
  options: GatewayOptions
): Effect.Effect<RealGateway, GatewayStartError | Schema.SchemaError, Scope.Scope> =>
  startMortalGateway(options).pipe(Effect.map(({ gateway }) => gateway))
