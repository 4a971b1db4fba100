import { randomBytes } from "node:crypto"
import { Cause, Clock, Data, Effect, Queue, Ref, Stream } from "effect"
import type { WebSocket as Socket } from "ws"
import { failure } from "../../../../contract/failures.ts"
import type { SettingsShape } from "../../../platform/settings/Settings.ts"
import { PATIENCE, ProviderFailed, tooSlow } from "../../vendors/vendorCall.ts"
import type { SpeechPlan } from "../speechPlan.ts"
import type { SpeechSource } from "../spokenAudio.ts"
import {
  configMessage,
  connectionHeaders,
  connectionUrl,
  escapeXml,
  readBinary,
  readText,
  textMessage
} from "./freeMessages.ts"

/** Maximum escaped text per request, in bytes. */
const MAX_BYTES = 4096
/** Largest message, in bytes; audio comes in chunks of a few kilobytes. */
const MAX_MESSAGE = 4 * 1024 * 1024
const ID_BYTES = 16
/** The service's close code for an unknown voice. */
const INVALID = 1007
const BUSY_S = 10

const UNREACHED = new ProviderFailed(failure("FREE_VOICES_UNREACHABLE"))
const BROKEN_OFF = new ProviderFailed(failure("FREE_VOICES_STOPPED"))
const BUSY = new ProviderFailed({
  ...failure("FREE_VOICES_RATE_LIMITED", { seconds: BUSY_S }),
  retryAfter: BUSY_S
})
const SILENT = new ProviderFailed(failure("FREE_VOICES_SILENT"))

/** The service refused the connection; its clock, in epoch milliseconds, shows how far off ours is. */
class Refused extends Data.TaggedError("Refused")<{ readonly status: number; readonly date: number }> {}

const hexDigits = Effect.sync(() => randomBytes(ID_BYTES).toString("hex"))

/** An open connection, closed with the scope. */
const connect = (url: string, headers: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    Effect.promise(() => import("ws")),
    ({ WebSocket }) =>
      Effect.acquireRelease(
        Effect.callback<Socket, Refused | ProviderFailed>((resume) => {
          const socket = new WebSocket(url, {
            headers,
            followRedirects: false,
            maxPayload: MAX_MESSAGE,
            perMessageDeflate: true
          })
          socket.on("error", () => resume(Effect.fail(UNREACHED)))
          socket.on("open", () => resume(Effect.succeed(socket)))
          socket.on("unexpected-response", (_request, response) => {
            response.resume()
            resume(
              Effect.fail(
                new Refused({ status: response.statusCode ?? 0, date: Date.parse(response.headers.date ?? "") })
              )
            )
            socket.terminate()
          })
          return Effect.sync(() => socket.terminate())
        }),
        (socket) => Effect.sync(() => socket.terminate())
      )
  )

/**
 * Speech from the browser's read-aloud service: one WebSocket per piece of text. A connection refused for its time
 * stamp is retried once with the service's own clock.
 */
export const free = (settings: SettingsShape, { voice, language }: SpeechPlan): SpeechSource => {
  const open = Effect.fnUntraced(function* (skew: Ref.Ref<number>) {
    const attempt = Effect.gen(function* () {
      const now = (yield* Clock.currentTimeMillis) + (yield* Ref.get(skew))
      const headers = connectionHeaders((yield* hexDigits).toUpperCase())
      return yield* connect(connectionUrl(settings.freeBaseUrl, now, yield* hexDigits), headers)
    })
    return yield* attempt.pipe(
      Effect.tapErrorTag("Refused", ({ date }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Ref.set(skew, Number.isNaN(date) ? 0 : date - now))
      ),
      Effect.retry({ times: 1, while: (error) => error._tag === "Refused" && error.status === 403 }),
      Effect.catchTag("Refused", ({ status }) => Effect.fail(status === 429 ? BUSY : UNREACHED)),
      Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(tooSlow({ name: "the free voices" })) })
    )
  })

  const speak = Effect.fnUntraced(function* (piece: string) {
    const skew = yield* Ref.make(0)
    const socket = yield* open(skew)
    const audio = yield* Queue.unbounded<Uint8Array, ProviderFailed | Cause.Done>()
    const fail = (failure: ProviderFailed) => Queue.failCauseUnsafe(audio, Cause.fail(failure))
    let bytes = 0
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? readBinary(data) : readText(data.toString("utf8"))
      if (message.type === "audio" && message.bytes.length > 0) {
        bytes += message.bytes.length
        Queue.offerUnsafe(audio, message.bytes)
      } else if (message.type === "end") {
        if (bytes > 0) Queue.endUnsafe(audio)
        else fail(SILENT)
      }
    })
    socket.on("error", () => fail(BROKEN_OFF))
    socket.on("close", (code) => fail(code === INVALID ? SILENT : BROKEN_OFF))
    const now = (yield* Clock.currentTimeMillis) + (yield* Ref.get(skew))
    const requestId = yield* hexDigits
    yield* Effect.sync(() => {
      socket.send(configMessage(now))
      socket.send(textMessage(now, requestId, { text: piece, voice, locale: language.locale }))
    })
    return Stream.fromQueue(audio).pipe(
      Stream.timeoutOrElse({ duration: PATIENCE, orElse: () => Stream.fail(tooSlow({ name: "the free voices" })) })
    )
  })

  return {
    fits: (piece) => Buffer.byteLength(escapeXml(piece)) <= MAX_BYTES,
    say: (piece) => Stream.unwrap(speak(piece))
  }
}
