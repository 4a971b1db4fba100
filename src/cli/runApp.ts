import { isIP } from "node:net"
import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, Schedule } from "effect"
import type { GatewayStatus } from "../contract/schema/gateway.ts"
import type { StaticFiles } from "../http/platform/static/StaticFiles.ts"
import { keepCertificate, type Listeners } from "../layers/Listeners.ts"
import { Main } from "../layers/Main.ts"
import { observability, print } from "../layers/Observability.ts"
import { Listening } from "../layers/Servers.ts"
import { SqliteLive } from "../layers/Sqlite.ts"
import { giveBackStart } from "../node/heap.ts"
import type { RequestTrust } from "../services/access/trust/RequestTrust.ts"
import { GatewayClient } from "../services/gateway/client/GatewayClient.ts"
import { Settings, type SettingsShape } from "../services/platform/settings/Settings.ts"
import { settingNotes } from "../services/platform/settings/settingNotes.ts"
import { isEveryInterface } from "../services/platform/settings/startRules.ts"
import { SettingsSource, type SettingsSourceShape } from "../services/platform/settings/variables.ts"
import { Sqlite } from "../services/platform/sqlite/Sqlite.ts"
import { packageInfo } from "../services/platform/version/packageInfo.ts"

const line = (label: string, text: string) => `  ${label.padEnd(9)}${text}`

const addresses = (
  { host, basePath }: Pick<SettingsShape, "host" | "basePath">,
  ports: { readonly http: number; readonly https: number | undefined }
) => {
  const shown = isEveryInterface(host) ? "localhost" : isIP(host) === 6 ? `[${host}]` : host
  const path = basePath === "" ? "" : `${basePath}/`
  const http = `http://${shown}:${ports.http}${path}`
  return ports.https === undefined ? [http] : [http, `https://${shown}:${ports.https}${path}`]
}

const signIn = (settings: Pick<SettingsShape, "authEnabled" | "passwordHash">) => {
  if (!settings.authEnabled) return "off: anyone who can reach this address gets in (set SVC_AUTH=true to turn it on)"
  return settings.passwordHash === undefined ? "on, with the gateway token as the password" : "on, with a password"
}

/** Printed as soon as the ports are open. Plain text, so logs and pipes get the same. */
export const addressLines = (start: {
  readonly settings: Pick<SettingsShape, "host" | "basePath" | "authEnabled" | "passwordHash">
  readonly ports: { readonly http: number; readonly https: number | undefined }
  readonly demo: boolean
  readonly webBuilt: boolean
}): string => {
  const urls = addresses(start.settings, start.ports)
  const reach = isEveryInterface(start.settings.host) ? ", and on every other address of this machine" : ""
  return [
    `Agent Console ${packageInfo.version}${start.demo ? " (demo)" : ""}`,
    line("Open", `${urls.join("  ")}${reach}`),
    line("Sign-in", signIn(start.settings)),
    ...(start.webBuilt ? [] : [line("Web app", "not built, so only the API works: run `npm run build`")])
  ].join("\n")
}

export const DEMO_GATEWAY_LINE = line("Gateway", "built-in practice gateway; nothing leaves this machine")

/** The state of the gateway, printed once it's known. */
export const gatewayLine = (start: {
  readonly status: Pick<GatewayStatus, "gateway" | "reason">
  readonly url: string
}): string => {
  if (start.status.gateway === "ok") return line("Gateway", `connected to ${start.url}`)
  const reason = start.status.reason === undefined ? "" : `: ${start.status.reason}`
  return line("Gateway", `not connected to ${start.url} yet, still trying${reason}`)
}

/** How long the line about the gateway waits for a connection that's still opening. */
const GATEWAY_PATIENCE = "3 seconds"

/** How long a console that has to stop still answers. */
const LAST_ANSWERS = "250 millis"

/** Whether the web app has been built. */
const webIsBuilt = (webRoot: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.exists(posix.join(webRoot, "index.html"))).pipe(
    Effect.orElseSucceed(() => false)
  )

/** The demo and its gateway are loaded only on demand. */
const graphOf = (demo: boolean, gateways: number) =>
  demo
    ? Effect.map(
        Effect.promise(() => import("../layers/Demo.ts")),
        ({ demoWith }) => demoWith(gateways)
      )
    : Effect.succeed(Main)

const settledStatus = (client: GatewayClient["Service"]) =>
  Effect.repeat(client.status, {
    schedule: Schedule.spaced("50 millis"),
    until: ({ gateway }) => gateway === "ok"
  }).pipe(Effect.timeoutOption(GATEWAY_PATIENCE), Effect.andThen(client.status))

/** Builds everything behind the open ports, runs it, and prints the address and the gateway's state. */
export const runApp = Effect.fnUntraced(function* (options: {
  readonly settings: SettingsShape
  readonly demo: boolean
  /** Of the demo. */
  readonly gateways: number
  readonly front: Context.Context<Listeners | RequestTrust | StaticFiles>
  readonly source: SettingsSourceShape
  /** What is said in the log although nothing keeps the console from starting. */
  readonly warnings: ReadonlyArray<string>
}) {
  const { settings, source, demo, front, gateways, warnings } = options
  const sources = yield* source.now
  const notes =
    sources === undefined ? [] : settingNotes(sources).map(({ detail, fix }) => `${detail.message} ${fix.message}`)
  const graph = yield* graphOf(demo, gateways)
  const warningsLogged = Layer.effectDiscard(
    Effect.forEach([...warnings, ...notes], (warning) => Effect.logWarning(warning))
  )
  const context = yield* Layer.build(
    graph.pipe(
      Layer.provide(warningsLogged),
      Layer.merge(SqliteLive),
      Layer.merge(Layer.effectDiscard(keepCertificate)),
      Layer.provide(Layer.succeedContext(front)),
      Layer.provide(Settings.layerOf(settings)),
      Layer.provide(Layer.succeed(SettingsSource, source)),
      Layer.provide(observability(settings))
    )
  )
  yield* Effect.forkScoped(giveBackStart)
  const webBuilt = yield* webIsBuilt(settings.webRoot)
  const first = addressLines({ settings, ports: Context.get(context, Listening), demo, webBuilt })
  // The demo's gateway is part of it, so there's nothing to wait for, and no log line comes between.
  yield* print(settings, demo ? `${first}\n${DEMO_GATEWAY_LINE}` : first)
  if (!demo) {
    const status = yield* settledStatus(Context.get(context, GatewayClient))
    yield* print(settings, gatewayLine({ status, url: settings.gatewayUrl }))
  }
  // Memory holds data of the replaced file. Pending requests get the reason first.
  return yield* Effect.tapError(Context.get(context, Sqlite).replaced, () => Effect.sleep(LAST_ANSWERS))
})
