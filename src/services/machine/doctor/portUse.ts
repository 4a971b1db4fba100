import { createServer } from "node:net"
import { Effect, Schema } from "effect"
import { HttpClientResponse } from "effect/http"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { localAddress } from "../../platform/settings/localAddress.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { packageInfo } from "../../platform/version/packageInfo.ts"
import type { PortUse } from "./accessRules.ts"

const ANSWER_LIMIT = "3 seconds"

const Version = Schema.Struct({ name: Schema.Literal(packageInfo.name), version: Schema.String })

const USES: Readonly<Record<string, PortUse>> = {
  EADDRINUSE: { kind: "taken" },
  EACCES: { kind: "forbidden" },
  EADDRNOTAVAIL: { kind: "noSuchAddress" },
  ENOTFOUND: { kind: "noSuchAddress" }
}

/** Tries to listen for a moment, which is the only way to know. */
const tryToListen = ({ host, port }: Pick<SettingsShape, "host" | "port">) =>
  Effect.callback<PortUse>((resume) => {
    const server = createServer()
    server.once("error", (error) => {
      resume(Effect.succeed(("code" in error ? USES[String(error.code)] : undefined) ?? { kind: "taken" }))
    })
    server.listen(port, host, () => server.close(() => resume(Effect.succeed({ kind: "free" }))))
    return Effect.sync(() => server.close())
  })

/** What's using the configured port: a console, nothing, or another program. */
export const portUse = Effect.fn("portUse")(function* (settings: Pick<SettingsShape, "host" | "port">) {
  const client = yield* outgoingHttp
  const isOurs = client.get(`${localAddress(settings)}/api/version`).pipe(
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Version)),
    Effect.timeout(ANSWER_LIMIT),
    Effect.map(({ version }): PortUse => ({ kind: "console", version }))
  )
  return yield* isOurs.pipe(Effect.catch(() => tryToListen(settings)))
})
