import { Console, Effect, Option, Schedule, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { GatewayEntry } from "../contract/schema/gateway.ts"
import { askHidden, canAsk, readPipedText } from "./ask.ts"
import { askConsole } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"

const WORDS = { ok: "connected", connecting: "connecting", unreachable: "not reachable", refused: "refused" } as const

/** The state of one gateway in a line. */
export const gatewayState = ({ device, state, version }: GatewayEntry): string => {
  if (state === "ok" && device === "pending") return "connected, but its device waits for approval"
  if (state === "ok" && device === "refused") return "connected, but its device was refused"
  return state === "ok" && version !== undefined ? `connected (version ${version})` : WORDS[state]
}

/** Whether everything works. */
export const isWell = ({ device, state }: GatewayEntry): boolean => state === "ok" && device === "approved"

/** All of them as a table, each with what's wrong below it. */
export const gatewayTable = (gateways: ReadonlyArray<GatewayEntry>): string => {
  const rows = gateways.map((one) => [one.id, one.name, one.url, gatewayState(one)])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .flatMap((row, index) => {
      const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")
      const reason = gateways[index]?.reason
      return reason === undefined ? [line.trimEnd()] : [line.trimEnd(), `    ${reason}`]
    })
    .join("\n")
}

const List = Schema.Struct({ gateways: Schema.Array(GatewayEntry) })
const Done = Schema.Struct({ ok: Schema.Literal(true) })

/** A first connection takes up to ten seconds to fail. */
const CHECKS = Schedule.spaced("250 millis").pipe(Schedule.upTo({ duration: "12 seconds" }))

const exitCode = exitCodes.gateway

const withConsole = <A, E, R>(use: (svcHome: string) => Effect.Effect<A, E, R>) =>
  loadCommandSettings.pipe(
    Effect.mapError(({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })),
    Effect.flatMap(({ svcHome }) => use(svcHome)),
    Effect.provide(FetchHttpClient.layer)
  )

const listOf = (svcHome: string) =>
  Effect.map(
    askConsole(svcHome, {
      method: "GET",
      path: "/api/gateways",
      answer: List,
      what: "list its gateways",
      exitCode
    }),
    ({ gateways }) => gateways
  )

/** `agent-console gateway list`: the gateways of the running console, and what's wrong with each. */
export const listGateways = (json: boolean) =>
  withConsole(
    Effect.fnUntraced(function* (svcHome) {
      const gateways = yield* listOf(svcHome)
      yield* Console.log(json ? JSON.stringify({ gateways }, null, 2) : gatewayTable(gateways))
    })
  )

interface AddFlags {
  readonly url: string
  readonly name: Option.Option<string>
  readonly id: Option.Option<string>
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)

/** `agent-console gateway add`: adds one and says whether it can be used. The token is asked for, or comes from stdin. */
export const addGateway = ({ id, name, url }: AddFlags) =>
  withConsole(
    Effect.fnUntraced(function* (svcHome) {
      // Other users of the machine see a command line, and the shell keeps it.
      const token = yield* canAsk() ? askHidden(`Token of the gateway at ${url}`) : readPipedText
      const added = yield* askConsole(svcHome, {
        method: "POST",
        path: "/api/gateways",
        body: {
          name: Option.getOrElse(name, () => hostOf(url)),
          url,
          token,
          ...(Option.isSome(id) ? { id: id.value } : {})
        },
        answer: GatewayEntry,
        what: "add the gateway",
        exitCode
      })
      const look = Effect.map(listOf(svcHome), (all) => all.find((one) => one.id === added.id) ?? added)
      const isDecided = ({ state }: GatewayEntry) => state !== "connecting"
      const found = yield* Effect.repeat(look, { schedule: CHECKS, until: isDecided })
      yield* Console.log(`Added ${found.id}: ${gatewayState(found)}.`)
      if (isWell(found)) return
      return yield* new CommandFailure({
        message: found.reason ?? "it hasn't answered yet: look again with `agent-console gateway list`",
        exitCode
      })
    })
  )

/** `agent-console gateway remove`: disconnects from one and forgets its token. */
export const removeGateway = (id: string) =>
  withConsole(
    Effect.fnUntraced(function* (svcHome) {
      yield* askConsole(svcHome, {
        method: "DELETE",
        path: `/api/gateways/${encodeURIComponent(id)}`,
        answer: Done,
        what: "remove the gateway",
        exitCode
      })
      yield* Console.log(`Removed ${id}.`)
    })
  )
