import { Effect, Layer, Logger } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import type { SettingsShape } from "../services/settings/Settings.ts"
import { packageInfo } from "../services/version/packageInfo.ts"

/** Traces, metrics and logs to a collector; loaded only where one is configured. */
const exportTo = (baseUrl: string) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("effect/observability")),
      ({ Otlp }) =>
        Otlp.layerJson({ baseUrl, resource: { serviceName: packageInfo.name, serviceVersion: packageInfo.version } })
    )
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    // The span of a request holds its query, and with it what people searched for and the names of their files.
    Layer.merge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
  )

/** How this process tells what it does: LOG_FORMAT and OTEL_EXPORTER_OTLP_ENDPOINT. */
export const observability = ({ logFormat, otlpEndpoint }: SettingsShape) => {
  const log = logFormat === "json" ? Logger.layer([Logger.consoleJson]) : Layer.empty
  return otlpEndpoint === undefined ? log : Layer.provideMerge(exportTo(otlpEndpoint), log)
}
