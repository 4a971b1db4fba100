import { Console, Effect, Layer, Logger } from "effect"
import { HttpMiddleware } from "effect/http"
import { OutgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { packageInfo } from "../services/platform/version/packageInfo.ts"
import { BatchedConsole } from "./BatchedConsole.ts"
import { textLogger } from "./textLogger.ts"

/** How long shutdown waits for data that hasn't been sent yet. */
const LAST_EXPORT_WITHIN = "500 millis"

// Only one logger: the library's second default one keeps every line in its span, and some spans never end.
const jsonLog = Logger.layer([Logger.consoleJson])
const textLog = Logger.layer([textLogger])

/** Sends traces, metrics and logs to a collector; loaded only if one is configured. */
const exportTo = (baseUrl: string) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("effect/observability")),
      ({ Otlp }) =>
        Otlp.layerJson({
          baseUrl,
          resource: { serviceName: packageInfo.name, serviceVersion: packageInfo.version },
          shutdownTimeout: LAST_EXPORT_WITHIN
        })
    )
  ).pipe(
    Layer.provide(OutgoingHttp),
    // A request's span would contain its query, and with it search terms and file names.
    Layer.merge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
  )

/** Logging and telemetry, as set by LOG_FORMAT and OTEL_EXPORTER_OTLP_ENDPOINT. */
export const observability = ({ logFormat, otlpEndpoint }: SettingsShape) => {
  const log = Layer.merge(logFormat === "json" ? jsonLog : textLog, BatchedConsole)
  return otlpEndpoint === undefined ? log : Layer.provideMerge(exportTo(otlpEndpoint), log)
}

/** Prints to the terminal, or writes to the log if that is JSON. */
export const tell = ({ logFormat }: Pick<SettingsShape, "logFormat">, text: string) =>
  logFormat === "json" ? Effect.provide(Effect.logInfo(text), jsonLog) : Console.log(text)
