import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { INBOX_KINDS } from "../../contract/answers/InboxAnswers.ts"
import { Settings } from "../platform/settings/Settings.ts"
import { type SqlConnection, Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { judgeEndpoint } from "./endpointRules.ts"
import {
  InvalidPushSubscription,
  type NewPushSubscription,
  type PushChoices,
  PushDevice,
  PushDeviceNotFound,
  Quiet,
  TooManyPushDevices
} from "./pushSchemas.ts"
import { type EncodedKeys, readReceiverKeys } from "./receiverKeys.ts"

/** A device with what's needed to send to it. */
export interface AddressedDevice {
  readonly device: PushDevice
  readonly endpoint: string
  readonly keys: EncodedKeys
}

export interface PushDevicesShape {
  /** All devices, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<AddressedDevice>, StoreError>
  readonly find: (id: string) => Effect.Effect<AddressedDevice, PushDeviceNotFound | StoreError>
  /** Adds a device, or updates the one with this endpoint; choices that are left out stay as they are. */
  readonly subscribe: (
    input: NewPushSubscription
  ) => Effect.Effect<
    { readonly device: PushDevice; readonly isNew: boolean },
    InvalidPushSubscription | TooManyPushDevices | StoreError
  >
  readonly change: (id: string, choices: PushChoices) => Effect.Effect<PushDevice, PushDeviceNotFound | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, PushDeviceNotFound | StoreError>
  /** Notes how the last delivery went; `error` is a sentence. A device that was removed meanwhile stays removed. */
  readonly note: (id: string, outcome: { readonly error?: string }) => Effect.Effect<void, StoreError>
}

/** Far more than a person has; each item is sent to all of them. */
const MOST_DEVICES = 100

const DEFAULT_LABEL = "Browser"

const NOT_A_PUSH_SERVICE =
  "endpoint: the push service must be one of Mozilla, Google, Apple or Microsoft, or be in PUSH_ALLOWED_ORIGINS"
const WRONG_KEYS = "keys: p256dh must be a public key of the curve P-256, and auth must have 16 bytes"

const Row = Schema.Struct({
  id: Schema.String,
  endpoint: Schema.String,
  p256dh: Schema.String,
  auth: Schema.String,
  label: Schema.String,
  kinds: Schema.fromJsonString(PushDevice.fields.kinds),
  quiet: Schema.NullOr(Schema.fromJsonString(Quiet)),
  private: Schema.Int,
  direct_allow: Schema.Int,
  created_at: Schema.Int,
  last_sent_at: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(Schema.String)
})
const decodeRow = Schema.decodeUnknownSync(Row)

const deviceOf = (row: unknown): AddressedDevice => {
  const r = decodeRow(row)
  return {
    endpoint: r.endpoint,
    keys: { p256dh: r.p256dh, auth: r.auth },
    device: {
      id: r.id,
      label: r.label,
      kinds: r.kinds,
      ...(r.quiet === null ? {} : { quiet: r.quiet }),
      private: r.private === 1,
      directAllow: r.direct_allow === 1,
      createdAt: r.created_at,
      ...(r.last_sent_at === null ? {} : { lastSentAt: r.last_sent_at }),
      ...(r.last_error === null ? {} : { lastError: r.last_error })
    }
  }
}

const findBy = (db: SqlConnection, column: "id" | "endpoint", value: string): AddressedDevice | undefined => {
  const row = db.get(`SELECT * FROM push_devices WHERE ${column} = ?`, value)
  return row === undefined ? undefined : deviceOf(row)
}

const save = (db: SqlConnection, { device, endpoint, keys }: AddressedDevice): void => {
  db.run(
    `INSERT OR REPLACE INTO push_devices VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    device.id,
    endpoint,
    keys.p256dh,
    keys.auth,
    device.label,
    JSON.stringify(device.kinds),
    device.quiet === undefined ? null : JSON.stringify(device.quiet),
    device.private ? 1 : 0,
    device.directAllow ? 1 : 0,
    device.createdAt,
    device.lastSentAt ?? null,
    device.lastError ?? null
  )
}

/** Only whole characters and no space around them. */
const tidy = (label: string): string => label.trim().toWellFormed()

const choose = (device: PushDevice, { quiet, ...choices }: PushChoices): PushDevice => {
  const { quiet: before, ...rest } = device
  const now = quiet === undefined ? before : quiet
  const label = tidy(choices.label ?? device.label)
  return { ...rest, ...choices, label, ...(now === null || now === undefined ? {} : { quiet: now }) }
}

/** The devices that get notifications, in the console's database. */
export class PushDevices extends Context.Service<PushDevices, PushDevicesShape>()(
  "agent-console/services/push/PushDevices"
) {
  static readonly layer = Layer.effect(
    PushDevices,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const { pushAllowedOrigins } = yield* Settings
      const missing = () => Result.fail(new PushDeviceNotFound())

      const subscribe = Effect.fn("PushDevices.subscribe")(function* (input: NewPushSubscription) {
        const { endpoint, keys, replaces, ...choices } = input
        if (judgeEndpoint(endpoint, pushAllowedOrigins) === "refused") {
          return yield* new InvalidPushSubscription({ details: NOT_A_PUSH_SERVICE })
        }
        if (readReceiverKeys(keys) === undefined) return yield* new InvalidPushSubscription({ details: WRONG_KEYS })
        const now = yield* Clock.currentTimeMillis
        const id = randomUUID()
        return yield* sqlite.transaction((db) => {
          const known =
            findBy(db, "endpoint", endpoint) ?? (replaces === undefined ? undefined : findBy(db, "endpoint", replaces))
          if (known !== undefined) {
            const { lastError: _, ...kept } = known.device
            const device = choose(kept, choices)
            save(db, { device, endpoint, keys })
            return Result.succeed({ device, isNew: false })
          }
          if (db.all("SELECT id FROM push_devices").length >= MOST_DEVICES) return Result.fail(new TooManyPushDevices())
          const fresh = {
            id,
            label: DEFAULT_LABEL,
            kinds: INBOX_KINDS,
            private: true,
            directAllow: false,
            createdAt: now
          }
          const device = choose(fresh, choices)
          save(db, { device, endpoint, keys })
          return Result.succeed({ device, isNew: true })
        })
      })

      return PushDevices.of({
        list: sqlite.read((db) => db.all("SELECT * FROM push_devices ORDER BY created_at, id").map(deviceOf)),
        find: Effect.fnUntraced(function* (id) {
          const found = yield* sqlite.read((db) => findBy(db, "id", id))
          return found ?? (yield* new PushDeviceNotFound())
        }),
        subscribe,
        change: (id, choices) =>
          sqlite.transaction((db) => {
            const known = findBy(db, "id", id)
            if (known === undefined) return missing()
            const device = choose(known.device, choices)
            save(db, { ...known, device })
            return Result.succeed(device)
          }),
        remove: (id) =>
          sqlite.transaction((db) => {
            if (findBy(db, "id", id) === undefined) return missing()
            db.run("DELETE FROM push_deliveries WHERE device = ?", id)
            db.run("DELETE FROM push_devices WHERE id = ?", id)
            return Result.void
          }),
        note: Effect.fnUntraced(function* (id, { error }) {
          const now = yield* Clock.currentTimeMillis
          yield* sqlite.transaction((db) => {
            if (error === undefined) {
              db.run("UPDATE push_devices SET last_sent_at = ?, last_error = NULL WHERE id = ?", now, id)
            } else {
              db.run("UPDATE push_devices SET last_error = ? WHERE id = ?", error, id)
            }
            return Result.void
          })
        })
      })
    })
  )
}
