import { Context, DateTime, Effect, FileSystem, Layer, Option, Path, Schedule, Schema } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import { createFileAtomic, setMode, writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import {
  type ConnectChallenge,
  type ConnectParams,
  type SignatureVersion,
  signConnectParams
} from "./connectSignature.ts"
import { type DeviceKey, decodeDeviceKey, encodeDeviceKey, generateDeviceKey } from "./deviceKey.ts"

/** The identity can't be read or created; the server doesn't start without one. */
export class DeviceIdentityError extends Schema.TaggedError<DeviceIdentityError>()("DeviceIdentityError", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** How to complete a `connect` request. */
export interface ConnectCompletion {
  readonly challenge: ConnectChallenge
  /** The gateway's shared token. */
  readonly token: string
  /** Layout of the signature; `none` leaves the device out and so connects with reduced scopes. */
  readonly signature: SignatureVersion | "none"
}

export interface DeviceIdentityShape {
  /** Lower-case hex SHA-256 of the public key; what the gateway's device list shows. */
  readonly deviceId: string
  /** Puts the token, the signed device and the console's pinned values into `connect` parameters. Pure. */
  readonly completeConnect: (params: ConnectParams, completion: ConnectCompletion) => ConnectParams
}

const FILE_NAME = "device-identity.json"
const SECRET_MODE = 0o600
const DIRECTORY_MODE = 0o700

/** How long a start waits for another one that's replacing a damaged file. */
const REPLACEMENT_WAIT = Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "500 millis" }))

const readKey = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path)
  return Option.fromUndefinedOr(decodeDeviceKey(text))
})

const createKey = Effect.fnUntraced(function* (path: string) {
  const key = generateDeviceKey()
  const created = yield* createFileAtomic(path, encodeDeviceKey(key), { mode: SECRET_MODE })
  return created ? Option.some(key) : yield* readKey(path)
})

const waitForKey = (path: string) =>
  readKey(path).pipe(
    Effect.filterOrFail(Option.isSome),
    Effect.retry(REPLACEMENT_WAIT),
    Effect.map((key) => key.value),
    Effect.option
  )

/**
 * Replaces a damaged file. The name it's kept under contains its own time stamp, so if several starts find the same
 * damage, exactly one of them links and replaces it; the others wait for the result.
 */
const replaceDamaged = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* fs.stat(path)
  const stamp = Option.match(info.mtime, {
    onNone: () => "undated",
    onSome: (mtime) => DateTime.formatIso(DateTime.fromDateUnsafe(mtime)).replaceAll(":", "-")
  })
  const aside = `${path}.damaged-${stamp}`
  const first = yield* fs.link(path, aside).pipe(
    Effect.as(true),
    Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.succeed(false))
  )
  if (!first) {
    const replaced = yield* waitForKey(path)
    if (Option.isSome(replaced)) return replaced.value
  }
  const key = generateDeviceKey()
  yield* writeFileAtomic(path, encodeDeviceKey(key), { mode: SECRET_MODE })
  yield* Effect.logWarning(
    `The device identity was damaged. It was renamed to ${FILE_NAME}.damaged-${stamp} and replaced by a new one, which needs approval on the gateway`
  )
  return key
})

const loadKey = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, FILE_NAME)
  yield* fs.makeDirectory(directory, { recursive: true, mode: DIRECTORY_MODE })
  const found = yield* readKey(path).pipe(Effect.catchReason("PlatformError", "NotFound", () => createKey(path)))
  if (Option.isNone(found)) return yield* replaceDamaged(path)
  yield* setMode(path, SECRET_MODE)
  return found.value
})

/**
 * The Ed25519 identity by which the gateway recognises this console, created at the first start and stored in
 * `{svc_home}/device-identity.json`.
 */
export class DeviceIdentity extends Context.Service<DeviceIdentity, DeviceIdentityShape>()(
  "agent-console/services/gateway/device/DeviceIdentity"
) {
  /** An identity that is already known. */
  static readonly fromKey = (key: DeviceKey): DeviceIdentityShape => ({
    deviceId: key.id,
    completeConnect: (params, { challenge, token, signature }) =>
      signConnectParams(params, {
        challenge,
        token,
        device: signature === "none" ? undefined : { key, version: signature }
      })
  })

  static readonly layer = Layer.effect(
    DeviceIdentity,
    Effect.gen(function* () {
      const settings = yield* Settings
      const key = yield* loadKey(settings.svcHome).pipe(
        Effect.mapError(
          (cause) =>
            new DeviceIdentityError({
              message: `couldn't read or save the device identity (${FILE_NAME}): make sure the SVC_HOME folder is writable and its disk isn't full`,
              cause
            })
        )
      )
      return DeviceIdentity.fromKey(key)
    })
  )
}
