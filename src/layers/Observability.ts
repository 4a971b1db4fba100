import { Console, Effect, Layer, Logger } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import type { SettingsShape } from "../services/settings/Settings.ts"
import { packageInfo } from "../services/version/packageInfo.ts"

/** How long the end of the process waits for what has not left yet. */
const LAST_EXPORT_WITHIN = "500 millis"

// Each alone: the library's usual second logger keeps every line in the span it was written in, and some never end.
const jsonLog = Logger.layer([Logger.consoleJson])
const textLog = Logger.layer([Logger.defaultLogger])

/** Traces, metrics and logs to a collector; loaded only where one is configured. */
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
    Layer.provide(FetchHttpClient.layer),
    // The span of a request holds its query, and with it what people searched for and the names of their files.
    Layer.merge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
  )

/** How this process tells what it does: LOG_FORMAT and OTEL_EXPORTER_OTLP_ENDPOINT. */
export const observability = ({ logFormat, otlpEndpoint }: SettingsShape) => {
  const log = logFormat === "json" ? jsonLog : textLog
  return otlpEndpoint === undefined ? log : Layer.provideMerge(exportTo(otlpEndpoint), log)
}

/** Tells the person at the terminal something: as text, or as lines of the log where that is one object a line. */
export const tell = ({ logFormat }: Pick<SettingsShape, "logFormat">, text: string) =>
  logFormat === "json" ? Effect.provide(Effect.logInfo(text), jsonLog) : Console.log(text)
