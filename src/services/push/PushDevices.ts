import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { INBOX_KINDS } from "../../contract/inbox.ts"
import { type NewPushSubscription, type PushChoices, PushSubscription, QuietHours } from "../../contract/schema/push.ts"
import { isOnThisMachine } from "../platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../platform/settings/Settings.ts"
import { type SqlConnection, Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { storeWhy, whyOf } from "../platform/sqlite/storedWhys.ts"
import { elsewhere, flag, insertInto, integer, json, optional, table, text } from "../platform/sqlite/table.ts"
import { BROKEN, MOST_REFUSALS, NEW_KEY } from "./deliveryRules.ts"
import { type EncodedKeys, readReceiverKeys } from "./encryptPush.ts"
import { judgeEndpoint } from "./endpointRules.ts"
import { InvalidPushSubscription, PushDeviceNotFound, TooManyPushDevices } from "./pushErrors.ts"
import { VapidIdentity } from "./VapidIdentity.ts"

/** The result of a delivery to a device; `failure` is the reason for a failure. */
export type TryOutcome =
  | { readonly type: "sent" }
  /** It received a message without news, such as the end of an item. */
  | { readonly type: "reached" }
  /** The delivery will be retried. */
  | { readonly type: "again"; readonly failure: Failure }
  | { readonly type: "failed"; readonly failure: Failure; readonly isRefusal?: boolean }

/** A device with its endpoint and keys. */
export interface AddressedDevice {
  readonly device: PushSubscription
  readonly endpoint: string
  readonly keys: EncodedKeys
  /** It refused several messages in a row and gets none until it subscribes again. */
  readonly isBroken: boolean
}

export interface PushDevicesShape {
  /** The reason why no device can be added; `undefined` if one can. */
  readonly off: Failure | undefined
  /** All devices, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<AddressedDevice>, StoreError>
  readonly find: (id: string) => Effect.Effect<AddressedDevice, PushDeviceNotFound | StoreError>
  /** Adds a device, or updates the one with this endpoint; omitted choices aren't changed. */
  readonly subscribe: (
    input: NewPushSubscription
  ) => Effect.Effect<
    { readonly device: PushSubscription; readonly isNew: boolean },
    InvalidPushSubscription | TooManyPushDevices | StoreError
  >
  readonly change: (
    id: string,
    choices: PushChoices
  ) => Effect.Effect<PushSubscription, PushDeviceNotFound | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, PushDeviceNotFound | StoreError>
  /**
   * Compares the console's key with those the devices subscribed with. Push services accept no other key, so a device
   * with another one is marked as broken and gets nothing.
   */
  readonly checkKey: Effect.Effect<void, StoreError>
  /** Records the result of the last attempt. A device that was removed meanwhile stays removed. */
  readonly note: (id: string, outcome: TryOutcome) => Effect.Effect<void, StoreError>
}

/** Far more than a person has, because each item is sent to every device. */
const MOST_DEVICES = 100

const DEFAULT_LABEL = "Browser"

const NOT_A_PUSH_SERVICE =
  "endpoint: the push service must be one of Mozilla, Google, Apple or Microsoft, or be in PUSH_ALLOWED_ORIGINS"
/** The demo sends nothing to other machines. */
const NOT_IN_DEMO = failure("PUSH_OFF_IN_DEMO")
const WRONG_KEYS = "keys: p256dh must be a public key of the curve P-256, and auth must have 16 bytes"

const DEVICE = table("push_devices", {
  id: text,
  endpoint: text,
  p256dh: text,
  auth: text,
  label: text,
  kinds: json(PushSubscription.fields.kinds),
  quiet: optional(json(QuietHours)),
  private: flag,
  directAllow: flag,
  createdAt: integer,
  lastSentAt: optional(integer),
  lastError: optional(text),
  refusals: elsewhere("refusals", optional(integer)),
  publicKey: elsewhere("public_key", optional(text))
})

const DEVICES = `SELECT ${DEVICE.selected()} FROM push_devices LEFT JOIN push_standing ON device = id`

const deviceOf = (db: SqlConnection, row: unknown): AddressedDevice => {
  const { endpoint, p256dh, auth, refusals = 0, publicKey: _, ...device } = DEVICE.read(row)
  return {
    endpoint,
    keys: { p256dh, auth },
    isBroken: refusals >= MOST_REFUSALS,
    device: { ...device, ...whyOf(db, device.lastError) }
  }
}

const findBy = (db: SqlConnection, column: "id" | "endpoint", value: string): AddressedDevice | undefined => {
  const [row] = db.rows(`${DEVICES} WHERE ${column} = ?`, value)
  return row === undefined ? undefined : deviceOf(db, row)
}

const save = (db: SqlConnection, { device, endpoint, keys }: Omit<AddressedDevice, "isBroken">): void => {
  db.run(insertInto("push_devices", DEVICE.names, "id"), ...DEVICE.values({ ...device, ...keys, endpoint }))
}

/** Records that the device subscribed with this key and has refused nothing since. */
const resetStanding = (db: SqlConnection, id: string, publicKey: string | undefined): void => {
  db.run("INSERT OR REPLACE INTO push_standing VALUES (?, 0, ?)", id, publicKey ?? null)
}

/** Trims a name and replaces incomplete characters. */
const tidy = (label: string): string => label.trim().toWellFormed()

const choose = (device: PushSubscription, { quiet, ...choices }: PushChoices): PushSubscription => {
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
      const { isDemo, pushAllowedOrigins } = yield* Settings
      const vapid = yield* VapidIdentity
      const missing = () => Result.fail(new PushDeviceNotFound())
      const currentKey = Effect.orElseSucceed(
        Effect.map(vapid.key, ({ publicKey }): string | undefined => publicKey),
        () => undefined
      )

      const subscribe = Effect.fn("PushDevices.subscribe")(function* (input: NewPushSubscription) {
        const { endpoint, keys, replaces, ...choices } = input
        if (judgeEndpoint(endpoint, pushAllowedOrigins, isDemo) === "refused") {
          return yield* new InvalidPushSubscription(isDemo ? NOT_IN_DEMO : { message: NOT_A_PUSH_SERVICE })
        }
        if (readReceiverKeys(keys) === undefined) return yield* new InvalidPushSubscription({ message: WRONG_KEYS })
        const now = yield* Clock.currentTimeMillis
        const id = randomUUID()
        const publicKey = yield* currentKey
        return yield* sqlite.transaction((db) => {
          const known =
            findBy(db, "endpoint", endpoint) ?? (replaces === undefined ? undefined : findBy(db, "endpoint", replaces))
          if (known !== undefined) {
            const { lastError: _, why: __, ...kept } = known.device
            const device = choose(kept, choices)
            save(db, { device, endpoint, keys })
            resetStanding(db, device.id, publicKey)
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
          resetStanding(db, id, publicKey)
          return Result.succeed({ device, isNew: true })
        })
      })

      const checkKey = Effect.gen(function* () {
        const isAny = yield* sqlite.read((db) => db.get("SELECT 1 FROM push_devices") !== undefined)
        if (!isAny) return
        const wasThere = yield* vapid.isThere
        const { publicKey } = yield* vapid.key
        const marked = yield* sqlite.transaction((db) => {
          const lost = db.rows(DEVICES).flatMap((row) => {
            const { id, lastError, publicKey: storedKey } = DEVICE.read(row)
            // Devices of earlier versions have no stored key; they subscribed with the key of that time.
            if ((storedKey ?? (wasThere ? publicKey : undefined)) !== publicKey)
              return lastError === NEW_KEY.message ? [] : [id]
            if (storedKey === undefined || lastError === NEW_KEY.message) resetStanding(db, id, publicKey)
            if (lastError === NEW_KEY.message) db.run("UPDATE push_devices SET last_error = NULL WHERE id = ?", id)
            return []
          })
          if (lost.length > 0) storeWhy(db, NEW_KEY)
          for (const id of lost) {
            db.run("INSERT OR IGNORE INTO push_standing VALUES (?, 0, '')", id)
            db.run("UPDATE push_standing SET refusals = ? WHERE device = ?", MOST_REFUSALS, id)
            db.run("UPDATE push_devices SET last_error = ? WHERE id = ?", NEW_KEY.message, id)
          }
          return Result.succeed(lost.length)
        })
        if (marked > 0) {
          yield* Effect.logWarning(
            `The console has another key for notifications than before: ${marked} ${marked === 1 ? "device gets none until they're" : "devices get none until they're"} switched off and on again there`
          )
        }
      }).pipe(Effect.catchTag("StorageFailure", ({ message }) => Effect.logWarning(`Couldn't check it: ${message}`)))

      return PushDevices.of({
        off: isDemo && !pushAllowedOrigins.some(isOnThisMachine) ? NOT_IN_DEMO : undefined,
        checkKey,
        list: sqlite.read((db) => db.rows(`${DEVICES} ORDER BY created_at, id`).map((row) => deviceOf(db, row))),
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
            for (const table of ["push_deliveries", "push_tries", "push_standing"]) {
              db.run(`DELETE FROM ${table} WHERE device = ?`, id)
            }
            db.run("DELETE FROM push_devices WHERE id = ?", id)
            return Result.void
          }),
        note: Effect.fnUntraced(function* (id, outcome) {
          const now = yield* Clock.currentTimeMillis
          const publicKey = yield* currentKey
          yield* sqlite.transaction((db) => {
            const known = findBy(db, "id", id)
            if (known === undefined) return Result.void
            const { lastError: _, why: __, ...device } = known.device
            if (outcome.type === "sent" || outcome.type === "reached") {
              save(db, { ...known, device: outcome.type === "sent" ? { ...device, lastSentAt: now } : device })
              resetStanding(db, id, publicKey)
              return Result.void
            }
            if (outcome.type === "failed" && outcome.isRefusal === true) {
              db.run(
                "INSERT INTO push_standing VALUES (?, 1, NULL) ON CONFLICT (device) DO UPDATE SET refusals = refusals + 1",
                id
              )
            }
            const isBroken = findBy(db, "id", id)?.isBroken === true
            const why = isBroken ? BROKEN : outcome.failure
            storeWhy(db, why)
            save(db, { ...known, device: { ...device, lastError: why.message } })
            return Result.void
          })
        })
      })
    })
  )
}
