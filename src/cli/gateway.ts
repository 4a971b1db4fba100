import { Console, Effect, Option, Schedule, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { GatewayEntry } from "../contract/schema/gateway.ts"
import { askHidden, canAsk, readPipedText } from "./ask.ts"
import { askConsole } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"
import { gatewayState, gatewayTable, isWell } from "./gatewayReport.ts"

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
