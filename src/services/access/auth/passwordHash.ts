import { type BinaryLike, randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect, Option } from "effect"
import { PASSWORD_HASH_PATTERN } from "../../platform/settings/settingsSchema.ts"

const SALT_BYTES = 32
const KEY_BYTES = 64

/** The two parts of a stored password hash. */
export interface PasswordHash {
  readonly salt: Uint8Array
  readonly key: Uint8Array
}

/** Reads `<hex salt>:<hex key>`; none if it doesn't have exactly that form. */
export const parsePasswordHash = (text: string): Option.Option<PasswordHash> => {
  if (!PASSWORD_HASH_PATTERN.test(text)) return Option.none()
  const separator = text.indexOf(":")
  return Option.some({
    salt: Buffer.from(text.slice(0, separator), "hex"),
    key: Buffer.from(text.slice(separator + 1), "hex")
  })
}

/** Writes `<hex salt>:<hex key>`, the form of `SVC_PASSWORD_HASH`. */
export const formatPasswordHash = (hash: PasswordHash): string =>
  `${Buffer.from(hash.salt).toString("hex")}:${Buffer.from(hash.key).toString("hex")}`

/** Scrypt can't be stopped, so an interrupted caller waits for its end; only then is the place in the queue free. */
const deriveKey = (password: string, salt: BinaryLike): Effect.Effect<Buffer> =>
  Effect.uninterruptible(
    Effect.callback((resume) => {
      scrypt(password, salt, KEY_BYTES, (error, key) =>
        resume(error === null ? Effect.succeed(key) : Effect.die(error))
      )
    })
  )

/** A new hash of a password: scrypt, 32-byte random salt, 64-byte key. */
export const hashPassword = Effect.fn("passwordHash.hashPassword")(function* (password: string) {
  const salt = yield* Effect.sync(() => randomBytes(SALT_BYTES))
  const key = yield* deriveKey(password, salt)
  return formatPasswordHash({ salt, key })
})

/** Whether the password matches the hash, in constant time. */
export const verifyPassword = Effect.fn("passwordHash.verifyPassword")(function* (
  password: string,
  hash: PasswordHash
) {
  const key = yield* deriveKey(password, hash.salt)
  return timingSafeEqual(key, hash.key)
})
