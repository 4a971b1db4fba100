import { Clock, Context, Effect, Layer } from "effect"
import { failure } from "../../contract/failures.ts"
import { INBOX_KINDS } from "../../contract/inbox.ts"
import type { PushSubscription } from "../../contract/schema/push.ts"
import { Settings } from "../platform/settings/Settings.ts"
import type { NotifySink } from "../platform/settings/settingAddresses.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { encryptPush, readReceiverKeys } from "./encryptPush.ts"
import { judgeEndpoint } from "./endpointRules.ts"
import { type AddressedDevice, PushDevices, type TryOutcome } from "./PushDevices.ts"
import type { OutgoingRequest } from "./PushTransport.ts"
import { PushFailed } from "./pushErrors.ts"
import { type PushMessage, payloadBytes } from "./pushMessage.ts"
import { sinkRequest } from "./sinkRequest.ts"
import { VapidIdentity, vapidHeader } from "./VapidIdentity.ts"

/** A recipient of notifications: a device, or the sink in the settings. */
export interface Recipient {
  readonly choices: PushSubscription
  /** The name of the service in errors. */
  readonly service: string
  readonly host: string
  /** `undefined` if this recipient doesn't get the message. */
  readonly request: (message: PushMessage) => Effect.Effect<OutgoingRequest | undefined, PushFailed>
  /** Whether it's created at each start, so that a waiting delivery must be stored to survive a restart. */
  readonly isNewEachStart: boolean
  /** It refused several messages in a row and gets none until it subscribes again. */
  readonly isBroken: boolean
  /** Records the result of an attempt. */
  readonly note: (outcome: TryOutcome) => Effect.Effect<void, StoreError>
  /** Removes the recipient, which accepts no more notifications. */
  readonly leave: Effect.Effect<void, StoreError>
}

export interface RecipientsShape {
  readonly list: Effect.Effect<ReadonlyArray<Recipient>, StoreError>
  readonly find: (id: string) => Effect.Effect<Recipient | undefined, StoreError>
}

/** The id of the sink in the settings. */
const SINK = "settings"

const refused = (host: string) => new PushFailed(failure("PUSH_SERVICE_NOT_ALLOWED", { host }))
const UNREADABLE = new PushFailed(failure("PUSH_KEYS_UNREADABLE"))

/** All recipients of notifications. */
export class Recipients extends Context.Service<Recipients, RecipientsShape>()(
  "agent-console/services/push/Recipients"
) {
  static readonly layer = Layer.effect(
    Recipients,
    Effect.gen(function* () {
      const { isDemo, notifyPrivate, notifySecret, notifySink, pushAllowedOrigins, pushContact } = yield* Settings
      const devices = yield* PushDevices
      const vapid = yield* VapidIdentity
      const startedAt = yield* Clock.currentTimeMillis

      const pushRequest = Effect.fnUntraced(function* (
        { endpoint, keys }: AddressedDevice,
        { payload, topic, ttl, urgency }: PushMessage
      ) {
        const { host, origin } = new URL(endpoint)
        const verdict = judgeEndpoint(endpoint, pushAllowedOrigins, isDemo)
        if (verdict === "refused") return yield* refused(host)
        const receiver = readReceiverKeys(keys)
        if (receiver === undefined) return yield* UNREADABLE
        const key = yield* Effect.mapError(vapid.key, ({ message }) => new PushFailed({ message: `${message}.` }))
        const now = yield* Clock.currentTimeMillis
        return {
          url: endpoint,
          isTrusted: verdict === "trusted",
          headers: {
            authorization: vapidHeader(key, { audience: origin, contact: pushContact, now }),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            ttl: String(ttl),
            topic,
            urgency
          },
          body: encryptPush(payloadBytes(payload), receiver)
        }
      })

      const deviceRecipient = (addressed: AddressedDevice): Recipient => {
        const { device, endpoint, isBroken } = addressed
        return {
          choices: device,
          isNewEachStart: false,
          isBroken,
          service: "PUSH_SERVICE",
          host: new URL(endpoint).host,
          request: (message) => pushRequest(addressed, message),
          note: (outcome) => devices.note(device.id, outcome),
          leave: Effect.catchTag(devices.remove(device.id), "PushDeviceNotFound", () => Effect.void)
        }
      }

      const sinkRecipient = (sink: NotifySink): Recipient => {
        const { host } = new URL(sink.type === "webhook" ? sink.url : sink.origin)
        const failed = (error: string) => Effect.logWarning(`Couldn't send an item to NOTIFY_URL: ${error}`)
        return {
          choices: {
            id: SINK,
            label: "NOTIFY_URL",
            kinds: INBOX_KINDS,
            private: notifyPrivate,
            directAllow: false,
            createdAt: startedAt
          },
          isNewEachStart: true,
          isBroken: false,
          service: host,
          host,
          request: (message) =>
            Effect.map(Clock.currentTimeMillis, (now) => sinkRequest(sink, message, { secret: notifySecret, now })),
          note: (outcome) => (outcome.type === "failed" ? failed(outcome.failure.message) : Effect.void),
          leave: failed(`${host} doesn't know this address (404 or 410): check NOTIFY_URL.`)
        }
      }

      const sinks = notifySink === undefined ? [] : [sinkRecipient(notifySink)]
      return Recipients.of({
        list: Effect.map(devices.list, (list) => [...list.map(deviceRecipient), ...sinks]),
        find: (id) =>
          id === SINK
            ? Effect.succeed(sinks[0])
            : devices.find(id).pipe(
                Effect.map(deviceRecipient),
                Effect.catchTag("PushDeviceNotFound", () => Effect.succeed(undefined))
              )
      })
    })
  )
}
