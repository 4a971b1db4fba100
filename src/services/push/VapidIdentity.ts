import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { Context, DateTime, Effect, FileSystem, Layer, Path, Result, Schema, Semaphore } from "effect"
import { Settings } from "../platform/settings/Settings.ts"
import { createFileAtomic, setMode, writeFileAtomic } from "../platform/storage/atomicFile.ts"
import { orStorageFailure, type StorageFailure } from "../platform/storage/fileErrors.ts"

/** The key pair by which push services recognise this console (VAPID, RFC 8292). */
interface VapidKey {
  /** The uncompressed point, 65 bytes in base64url without padding: what browsers subscribe with. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

const Base64Url32 = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43}$/))
const Jwk = Schema.Struct({ x: Base64Url32, y: Base64Url32, d: Base64Url32 })
type Jwk = typeof Jwk.Type

const KeyFile = Schema.fromJsonString(Schema.Struct({ version: Schema.Literal(1), ...Jwk.fields }))
const decodeJwk = Schema.decodeUnknownSync(Jwk)
const decodeFile = Schema.decodeUnknownResult(KeyFile)
const encodeFile = Schema.encodeSync(KeyFile)

/** How long a signature is valid, in seconds; push services allow 24 hours at most. */
const VALID_S = 12 * 60 * 60

const keyFrom = (jwk: Jwk): VapidKey => {
  const point = [Buffer.of(4), Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.y, "base64url")]
  return {
    publicKey: Buffer.concat(point).toString("base64url"),
    privateKey: createPrivateKey({ key: { kty: "EC", crv: "P-256", ...jwk }, format: "jwk" })
  }
}

/** A new random key pair. */
export const generateVapidKey = (): VapidKey =>
  keyFrom(decodeJwk(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })))

/** Text of the key file. */
export const encodeVapidKey = ({ privateKey }: VapidKey): string =>
  `${encodeFile({ version: 1, ...decodeJwk(privateKey.export({ format: "jwk" })) })}\n`

/** Reads the key file; `undefined` if it's damaged. */
export const decodeVapidKey = (text: string): VapidKey | undefined =>
  decodeFile(text).pipe(
    Result.flatMap(({ x, y, d }) => Result.try(() => keyFrom({ x, y, d }))),
    Result.getOrUndefined
  )

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** The `Authorization` header of a push message to this origin; `now` is in epoch milliseconds. */
export const vapidHeader = (
  { privateKey, publicKey }: VapidKey,
  { audience, contact, now }: { readonly audience: string; readonly contact: string; readonly now: number }
): string => {
  const claims = { aud: audience, exp: Math.floor(now / 1000) + VALID_S, sub: contact }
  const signed = `${encodeJson({ typ: "JWT", alg: "ES256" })}.${encodeJson(claims)}`
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" })
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`
}

export interface VapidIdentityShape {
  /** The console's key pair, created when it's first needed. */
  readonly key: Effect.Effect<VapidKey, StorageFailure>
  /** Whether the key pair exists. */
  readonly isThere: Effect.Effect<boolean>
}

const FILE_NAME = "push-key.json"
const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700

/** The key by which push services recognise this console, in `{svc_home}/push-key.json`, 0600. */
export class VapidIdentity extends Context.Service<VapidIdentity, VapidIdentityShape>()(
  "agent-console/services/push/VapidIdentity"
) {
  static readonly layer = Layer.effect(
    VapidIdentity,
    Effect.gen(function* () {
      const { svcHome } = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = (yield* Path.Path).join(svcHome, FILE_NAME)
      const lock = yield* Semaphore.make(1)
      let known: VapidKey | undefined

      const create = Effect.gen(function* () {
        const key = generateVapidKey()
        yield* fs.makeDirectory(svcHome, { recursive: true, mode: DIRECTORY_MODE })
        const created = yield* createFileAtomic(file, encodeVapidKey(key), { mode: FILE_MODE })
        // Another process may have written its key first; that one is used.
        return created ? key : yield* read
      })

      const replaceDamaged = Effect.gen(function* () {
        const aside = `${FILE_NAME}.damaged-${DateTime.formatIso(yield* DateTime.now).replaceAll(":", "-")}`
        yield* fs.rename(file, `${svcHome}/${aside}`)
        const key = generateVapidKey()
        yield* writeFileAtomic(file, encodeVapidKey(key), { mode: FILE_MODE })
        yield* Effect.logWarning(
          `The key for notifications was damaged. It was renamed to ${aside} and replaced by a new one: notifications have to be switched off and on again on each device`
        )
        return key
      })

      const read = Effect.gen(function* () {
        const key = decodeVapidKey(yield* fs.readFileString(file))
        if (key === undefined) return yield* replaceDamaged
        yield* setMode(file, FILE_MODE)
        return key
      })

      const load = read.pipe(
        Effect.catchReason("PlatformError", "NotFound", () => create),
        Effect.tap((key) =>
          Effect.sync(() => {
            known = key
          })
        ),
        Effect.provideContext(platform),
        orStorageFailure(`couldn't read or write the key for notifications (${FILE_NAME})`)
      )

      return VapidIdentity.of({
        isThere: Effect.orElseSucceed(fs.exists(file), () => true),
        key: Effect.suspend(() => (known === undefined ? load : Effect.succeed(known))).pipe(lock.withPermit)
      })
    })
  )
}
