import { format } from "node:util"
import { Console, Effect, Latch, Layer, Logger, type LogLevel, References } from "effect"
import { HttpMiddleware } from "effect/http"
import { OutgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { packageInfo } from "../services/platform/version/packageInfo.ts"

/** How long a line may wait to be written. */
const WAIT = "200 millis"
/** Characters that are written at once, however short the wait was. */
const ENOUGH = 16_384

/** The reader of the log may close it; the console continues. */
const nobodyReads = () => {}

/**
 * The console of the log, which writes lines together. Standard output is written to synchronously, so under load one
 * line per request was a tenth of the processor's time. Waiting lines are also written when the process exits, whatever
 * the reason, short of being killed.
 */
export const BatchedConsole = Layer.effect(
  Console.Console,
  Effect.gen(function* () {
    const lines = Latch.makeUnsafe()
    let waiting = ""
    const write = () => {
      lines.closeUnsafe()
      if (waiting === "") return
      const text = waiting
      waiting = ""
      // Not by `console.log`, of which a debugger keeps the last thousand texts.
      process.stdout.write(`${text}\n`)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        // It stays attached, because a failed write is reported later.
        if (!process.stdout.listeners("error").includes(nobodyReads)) process.stdout.on("error", nobodyReads)
        process.on("exit", write)
      }),
      () =>
        Effect.sync(() => {
          process.off("exit", write)
          write()
        })
    )
    yield* lines.await.pipe(
      Effect.andThen(Effect.sleep(WAIT)),
      Effect.andThen(Effect.sync(write)),
      Effect.forever,
      Effect.forkScoped
    )
    const log = (...parts: ReadonlyArray<unknown>) => {
      const [only] = parts
      const line = parts.length === 1 && typeof only === "string" ? only : format(...parts)
      waiting = waiting === "" ? line : `${waiting}\n${line}`
      if (waiting.length >= ENOUGH) write()
      else lines.openUnsafe()
    }
    const batched: Console.Console = Object.assign(Object.create(console), { log })
    return batched
  })
)

/** How long shutdown waits for data that hasn't been sent yet. */
const LAST_EXPORT_WITHIN = "500 millis"

const digits = (value: number, count: number): string => value.toString().padStart(count, "0")

const writeTime = (date: Date): string =>
  `${digits(date.getHours(), 2)}:${digits(date.getMinutes(), 2)}:${digits(date.getSeconds(), 2)}.${digits(date.getMilliseconds(), 3)}`

let latest = { time: Number.NaN, text: "" }

/** The local time of day, written once for all lines of a millisecond. */
const timeOf = (date: Date): string => {
  const time = date.getTime()
  if (time !== latest.time) latest = { time, text: writeTime(date) }
  return latest.text
}

/** The text of a line that is nothing else. */
const onlyText = ({ cause, fiber, message }: Logger.Options<unknown>): string | undefined => {
  const text = Array.isArray(message) && message.length === 1 ? message[0] : message
  if (typeof text !== "string" || cause.reasons.length > 0) return undefined
  const isBare =
    fiber.getRef(References.CurrentLogSpans).length === 0 &&
    Object.keys(fiber.getRef(References.CurrentLogAnnotations)).length === 0
  return isBare ? text : undefined
}

/**
 * Lines as Effect's own logger writes them. Most are one text, as the line of every request is, and are put together at
 * once instead of in pieces that the console joins.
 */
const textLogger = Logger.make<unknown, void>((line) => {
  const text = onlyText(line)
  if (text === undefined) return Logger.defaultLogger.log(line)
  const { date, fiber, logLevel } = line
  const console = fiber.getRef(Console.Console)
  console.log(`[${timeOf(date)}] ${logLevel.toUpperCase()} (#${fiber.id}): ${text}`)
})

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

const LEVELS = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const satisfies Readonly<Record<SettingsShape["logLevel"], LogLevel.LogLevel>>

/** Logging and telemetry, as set by LOG_LEVEL, LOG_FORMAT and OTEL_EXPORTER_OTLP_ENDPOINT. */
export const observability = ({ logFormat, logLevel, otlpEndpoint }: SettingsShape) => {
  const level = Layer.succeed(References.MinimumLogLevel, LEVELS[logLevel])
  const log = Layer.mergeAll(logFormat === "json" ? jsonLog : textLog, BatchedConsole, level)
  return otlpEndpoint === undefined ? log : Layer.provideMerge(exportTo(otlpEndpoint), log)
}

/** Prints to the terminal, or writes to the log if that is JSON. */
export const print = ({ logFormat }: Pick<SettingsShape, "logFormat">, text: string) =>
  logFormat === "json" ? Effect.provide(Effect.logInfo(text), jsonLog) : Console.log(text)
