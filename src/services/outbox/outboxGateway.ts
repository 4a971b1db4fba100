import { Effect, Option, Schema } from "effect"
import type { SessionActivity } from "../gateway/activity/SessionActivity.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { restoreArchived } from "../gateway/sessions/gatewayMarks.ts"
import type { StoredAttachment, StoredMessage } from "./outboxMessage.ts"
import type { SessionEvidence } from "./outboxRules.ts"

const SEND_LIMIT = "30 seconds"
const HISTORY = 200
/** The gateway's maximum. */
const WHOLE_HISTORY = 1_000
const PROTOCOL_WITH_RUNS = 4

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Accepted = Schema.Struct({ status: Text })
const Aborted = Schema.Struct({ aborted: Schema.optionalKey(Schema.Boolean) })

const History = Schema.Struct({
  messages: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  inFlightRun: Schema.optionalKey(Schema.NullOr(Schema.Struct({ runId: Text }))),
  pendingInputs: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        items: Schema.optionalKey(Schema.Array(Schema.Struct({ runId: Text, state: Text })))
      })
    )
  )
})

const TextPart = Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })
const Written = Schema.Struct({
  role: Schema.Literal("user"),
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)])),
  timestamp: Schema.optionalKey(Schema.Finite),
  idempotencyKey: Text
})
const decodeWritten = Schema.decodeUnknownOption(Written)

const textOf = ({ content = "" }: typeof Written.Type): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("")

/** The sender's id, to which newer gateways append the kind of message. */
export const senderId = (key: string | null | undefined): string | undefined => key?.replace(/:user$/, "")

const decodeTime = Schema.decodeUnknownOption(Schema.Struct({ timestamp: Schema.Finite }))

/** The time of the oldest of these messages if there may be earlier ones; 0 otherwise. */
const beginOf = (rows: ReadonlyArray<unknown>, limit: number): number => {
  if (rows.length < limit) return 0
  const times = rows.flatMap((row) => Option.toArray(Option.map(decodeTime(row), ({ timestamp }) => timestamp)))
  return times.length === 0 ? 0 : Math.min(...times)
}

/** The calls to a gateway about messages. */
export const outboxGateway = (gateway: GatewayClientShape, activity: SessionActivity) => {
  /** Safe to repeat while the gateway remembers the run's id. Returns true if the run has already ended. */
  const send = (message: StoredMessage, attachments: ReadonlyArray<StoredAttachment>, steer: boolean) => {
    const call = gateway
      .request(
        "chat.send",
        {
          sessionKey: message.sessionKey,
          message: message.text,
          idempotencyKey: message.runId,
          ...(steer ? { queueMode: "steer" } : {}),
          ...(attachments.length === 0
            ? {}
            : {
                attachments: attachments.map(({ name, type, content }) => ({
                  type: type.startsWith("image/") ? "image" : "file",
                  mimeType: type,
                  fileName: name,
                  content: Buffer.from(content).toString("base64")
                }))
              })
        },
        Accepted,
        { timeout: SEND_LIMIT }
      )
      .pipe(Effect.map(({ status }) => status === "ok"))
    // A message restores an archived session.
    return Effect.catchIf(
      call,
      ({ reason }) => reason === "invalid",
      (error) =>
        restoreArchived(gateway, message.sessionKey).pipe(
          Effect.orElseSucceed(() => false),
          Effect.flatMap((isBack) => (isBack ? call : Effect.fail(error)))
        )
    )
  }

  /** Stops the running response of a session; false if there was none. */
  const stop = (sessionKey: string) =>
    gateway.request("chat.abort", { sessionKey }, Aborted).pipe(Effect.map(({ aborted }) => aborted === true))

  const history = (sessionKey: string, limit: number) => gateway.request("chat.history", { sessionKey, limit }, History)

  /** The gateway's state of a session since a time, as far back as its history goes. */
  const evidence = Effect.fnUntraced(function* (
    sessionKey: string,
    since: number
  ): Effect.fn.Return<SessionEvidence, GatewayError> {
    const end = yield* history(sessionKey, HISTORY)
    const isEnough = beginOf(end.messages ?? [], HISTORY) <= since
    const found = isEnough ? end : yield* history(sessionKey, WHOLE_HISTORY)
    const waiting = (found.pendingInputs?.items ?? []).filter(({ state }) => state === "queued")
    const runs = [found.inFlightRun?.runId, ...waiting.map(({ runId }) => runId)]
    const protocol = (yield* gateway.connection)?.protocol ?? 0
    // If the list is refused, only the history is used.
    const isRunning =
      protocol >= PROTOCOL_WITH_RUNS
        ? false
        : yield* Effect.catchIf(
            activity.isListed(sessionKey),
            ({ reason }) => reason !== "unreachable" && reason !== "timeout",
            () => Effect.succeed(false)
          )
    return {
      protocol,
      gatewayStartedAt: yield* gateway.gatewayStartedAt,
      written: (found.messages ?? []).flatMap((row) =>
        Option.toArray(
          Option.map(decodeWritten(row), (message) => ({
            text: textOf(message),
            runId: senderId(message.idempotencyKey),
            at: message.timestamp
          }))
        )
      ),
      begin: beginOf(found.messages ?? [], isEnough ? HISTORY : WHOLE_HISTORY),
      runs: new Set(runs.filter((id) => typeof id === "string")),
      isRunning
    }
  })

  return { send, stop, evidence }
}
