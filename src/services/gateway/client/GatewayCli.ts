import { posix } from "node:path"
import { Context, Effect, Layer, Option, Schema, Semaphore, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { jsonObjectEnd, parseJsonObject } from "../../../contract/markers/markerJson.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { callFailed } from "./callFailures.ts"
import { GatewayError } from "./GatewayError.ts"
import { cliFailed, cliMissing, cliTimedOut, cliWrongShape } from "./gatewayFailures.ts"
import { decodeErrorBody } from "./gatewayFrames.ts"
import { isLoopbackGateway } from "./gatewayTarget.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** How many braces that don't start JSON are tried before giving up; prose has few of them. */
const MAX_MISSES = 100

/** The top-level JSON objects in the output of a program that also prints prose, in order. */
export const jsonObjectsIn = (output: string): ReadonlyArray<JsonObject> => {
  const found: Array<JsonObject> = []
  let misses = 0
  let at = output.indexOf("{")
  while (at >= 0 && misses < MAX_MISSES) {
    const end = jsonObjectEnd(output, at, output.length)
    const object = end < 0 ? undefined : parseJsonObject(output.slice(at, end))
    if (object === undefined) misses += 1
    else found.push(object)
    at = output.indexOf("{", object === undefined ? at + 1 : end)
  }
  return found
}

const FAILED_CALL = /^Gateway call failed: (?:[A-Za-z]+: )*(.*)$/m

/** The gateway's response to a call that the tool reports as failed; `undefined` if it doesn't include one. */
export const failedCallText = (output: string): string | undefined => FAILED_CALL.exec(output)?.[1]

export interface GatewayCliShape {
  /** Whether the tool talks to the configured gateway: only if both are on the same machine. */
  readonly available: boolean
  /** Runs the tool and decodes the first fitting JSON object it prints; it's killed after 30 seconds. */
  readonly json: <A>(args: ReadonlyArray<string>, schema: Schema.Decoder<A>) => Effect.Effect<A, GatewayError>
  /** Calls a method of the gateway with the tool's own rights. An error with a `code` is the gateway's own answer. */
  readonly call: <A>(method: string, params: object, payload: Schema.Decoder<A>) => Effect.Effect<A, GatewayError>
}

/** A call takes a few seconds on an idle machine, and much longer on small or busy ones. */
const LIMIT = "30 seconds"
/** Time between asking the tool to stop and killing it. */
const GRACE = "1 second"
const MAX_OUTPUT = 8 * 1024 * 1024
/** How many run at once; each is a separate process. */
const MAX_RUNS = 2

interface Output {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const Refused = Schema.Struct({ ok: Schema.Literal(false), error: Schema.Unknown })
const decodeRefused = Schema.decodeUnknownOption(Refused)

/** Some versions print their JSON to stderr (`skills list`). */
const objectsOf = ({ stdout, stderr }: Output) => [...jsonObjectsIn(stdout), ...jsonObjectsIn(stderr)]

const firstOf = <A>(objects: ReadonlyArray<unknown>, decode: (value: unknown) => Option.Option<A>) =>
  objects.map(decode).find(Option.isSome)?.value

/** Why the gateway refused the tool's call, or the tool's own failure if that isn't known. */
const refusalOf = (method: string, params: object, output: Output): GatewayError => {
  const refused = firstOf(objectsOf(output), decodeRefused)
  if (refused !== undefined) return callFailed({ method, params, error: decodeErrorBody(refused.error) })
  const message = failedCallText(`${output.stderr}\n${output.stdout}`)
  if (message === undefined) return cliFailed
  const explained = callFailed({ method, params, error: decodeErrorBody({ code: "UNKNOWN", message }) })
  return explained.code === "UNKNOWN" ? cliFailed : explained
}

const read = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  bytes.pipe(
    Stream.decodeText(),
    Stream.runFoldEffect(
      () => "",
      (text, piece) =>
        text.length + piece.length > MAX_OUTPUT ? Effect.fail(cliWrongShape) : Effect.succeed(text + piece)
    )
  )

/** The gateway's command-line tool, for what the socket can't do. */
export class GatewayCli extends Context.Service<GatewayCli, GatewayCliShape>()(
  "agent-console/services/gateway/client/GatewayCli"
) {
  static readonly layer = Layer.effect(
    GatewayCli,
    Effect.gen(function* () {
      const { gatewayCli, gatewayHome, gatewayUrl } = yield* Settings
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const slots = yield* Semaphore.make(MAX_RUNS)
      const tool = (args: ReadonlyArray<string>) =>
        childCommand(gatewayCli, args, {
          // It reads the gateway's token from the gateway's own configuration.
          needs: ["gateway", "network"],
          set: {
            OPENCLAW_STATE_DIR: gatewayHome,
            OPENCLAW_CONFIG_PATH: posix.join(gatewayHome, "openclaw.json"),
            NO_COLOR: "1"
          },
          stdin: "ignore",
          forceKillAfter: GRACE
        })

      const run = Effect.fnUntraced(
        function* (args: ReadonlyArray<string>) {
          const child = yield* Effect.mapError(spawner.spawn(yield* tool(args)), () => cliMissing)
          const [stdout, stderr, code] = yield* Effect.all([read(child.stdout), read(child.stderr), child.exitCode], {
            concurrency: "unbounded"
          }).pipe(Effect.mapError((error) => (error instanceof GatewayError ? error : cliFailed)))
          return { code, stdout, stderr } satisfies Output
        },
        Effect.scoped,
        slots.withPermit,
        Effect.timeoutOrElse({ duration: LIMIT, orElse: () => Effect.fail(cliTimedOut) })
      )

      const decoded = Effect.fnUntraced(function* <A>(output: Output, schema: Schema.Decoder<A>) {
        const found = firstOf(objectsOf(output), Schema.decodeUnknownOption(schema))
        return found === undefined ? yield* cliWrongShape : found
      })

      const json: GatewayCliShape["json"] = Effect.fn("GatewayCli.json")(function* (args, schema) {
        const output = yield* run(args)
        if (output.code !== 0) return yield* cliFailed
        return yield* decoded(output, schema)
      })

      const call: GatewayCliShape["call"] = Effect.fn("GatewayCli.call")(function* (method, params, payload) {
        const output = yield* run(["gateway", "call", method, "--params", JSON.stringify(params), "--json"])
        if (output.code !== 0) return yield* refusalOf(method, params, output)
        return yield* decoded(output, payload)
      })

      return GatewayCli.of({ available: isLoopbackGateway(gatewayUrl), json, call })
    })
  )
}
