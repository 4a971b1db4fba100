import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { tokenInUse } from "../../gateway/client/FoundToken.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { UNKNOWN_ADDRESS } from "../trust/clientAddress.ts"
import { parsePasswordHash, verifyPassword } from "./passwordHash.ts"
import { RevokedSessions } from "./RevokedSessions.ts"
import { makeSignInQueue, type SignInBusy } from "./signInQueue.ts"

/** Longest cookie value to consider; real ones are under 100 characters. */
const MAX_TOKEN_LENGTH = 256
const TOKEN = /^(\d{1,16})\.([0-9a-f]{64})$/

const sign = (expiry: string, secret: Uint8Array): Buffer => createHmac("sha256", secret).update(expiry).digest()

/** Writes the cookie value `<expiry, epoch ms>.<HMAC-SHA256 in hex>`. */
export const signSession = (expiresAt: number, secret: Uint8Array): string => {
  const expiry = String(expiresAt)
  return `${expiry}.${sign(expiry, secret).toString("hex")}`
}

/** The expiry of a genuine cookie value, even if past; undefined for anything damaged or forged. */
export const readSession = (token: string, secret: Uint8Array): number | undefined => {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const match = TOKEN.exec(token)
  const expiry = match?.[1]
  const signature = match?.[2]
  if (expiry === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature, "hex"), sign(expiry, secret)) ? Number(expiry) : undefined
}

/** Returns the key of a revoked cookie value. */
const sessionDigest = (token: string): string => createHash("sha256").update(token).digest("hex")

/**
 * The values of all cookies with that name, never decoded: a session value needs no escapes, so one with escapes isn't
 * ours. There can be several, because other paths on a host may set the same name.
 */
export const readCookies = (header: string | undefined, name: string): ReadonlyArray<string> => {
  if (header === undefined) return []
  return header.split(";").flatMap((pair) => {
    const separator = pair.indexOf("=")
    return separator > 0 && pair.slice(0, separator).trim() === name ? [pair.slice(separator + 1).trim()] : []
  })
}

/** The login password is wrong. */
export class InvalidPassword extends Schema.TaggedError<InvalidPassword>()("InvalidPassword", {}) {}

/** A session cookie to set; the transport chooses its attributes. */
export interface IssuedSession {
  readonly value: string
  /** Milliseconds the session lasts. */
  readonly lifetimeMs: number
}

/** A signed-in session, without its secret. */
export interface Session {
  /** A hash of the cookie, the key of its revocation. */
  readonly digest: string
  /** When it expires, in epoch milliseconds. */
  readonly expiresAt: number
}

export interface AuthShape {
  /** Whether sign-in is required (`SVC_AUTH`). */
  readonly enabled: boolean
  /** `svc_session_{PORT}`, followed by `_{SVC_INSTANCE}` if that is set. */
  readonly cookieName: string
  /**
   * Whether a request with this Cookie header is allowed: always while auth is off, otherwise with a valid session.
   */
  readonly isAuthenticated: (cookieHeader: string | undefined) => Effect.Effect<boolean>
  /** The valid session in a Cookie header at a time in epoch milliseconds; none while auth is off. */
  readonly sessionOf: (cookieHeader: string | undefined, now: number) => Session | undefined
  /** Whether auth is on and the Cookie header has a valid session, which makes a remote request trusted. */
  readonly hasSession: (cookieHeader: string | undefined) => Effect.Effect<boolean>
  /** Starts a session if the password is correct; `from` is the client's key for rate limits. */
  readonly login: (password: string, from?: string) => Effect.Effect<IssuedSession, InvalidPassword | SignInBusy>
  /** Revokes all valid sessions in the Cookie header; returns whether the revocation is on disk. */
  readonly logout: (cookieHeader: string | undefined) => Effect.Effect<boolean>
  /**
   * Calls the listener when the session is signed out or expires; at once if it has already ended.
   * The returned function removes the listener.
   */
  readonly onEnded: (session: Session, listener: () => void) => () => void
  /**
   * Whether a browser has sent a cookie of this name that another console made. Only a lasting secret can tell: after a
   * restart with a new one, this console's own cookies look the same.
   */
  readonly sharesCookie: () => boolean
  /** Waits until the session has ended. */
  readonly untilEnded: (session: Session) => Effect.Effect<void>
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Single-user password authentication with a stateless session cookie. */
export class Auth extends Context.Service<Auth, AuthShape>()("agent-console/services/access/auth/Auth") {
  static readonly layer = Layer.effect(
    Auth,
    Effect.gen(function* () {
      const settings = yield* Settings
      const revoked = yield* RevokedSessions
      const cookieName = ["svc_session", settings.port, settings.instance]
        .filter((part) => part !== undefined)
        .join("_")
      const secret =
        settings.sessionSecret === undefined
          ? yield* Effect.sync(() => randomBytes(32))
          : Buffer.from(Redacted.value(settings.sessionSecret), "hex")
      const hash =
        settings.passwordHash === undefined ? Option.none() : parsePasswordHash(Redacted.value(settings.passwordHash))
      const gatewayToken = yield* tokenInUse
      let latestExpiry = 0
      let isShared = false

      const liveSessions = (cookieHeader: string | undefined, now: number): ReadonlyArray<Session> =>
        readCookies(cookieHeader, cookieName).flatMap((token) => {
          const expiresAt = readSession(token, secret)
          isShared ||= expiresAt === undefined && settings.sessionSecret !== undefined && TOKEN.test(token)
          if (expiresAt === undefined || expiresAt <= now) return []
          const name = sessionDigest(token)
          return revoked.isRevoked(name, expiresAt) ? [] : [{ digest: name, expiresAt }]
        })

      const sessionOf = (cookieHeader: string | undefined, now: number) =>
        settings.authEnabled && cookieHeader !== undefined ? liveSessions(cookieHeader, now)[0] : undefined
      const isLive = (cookieHeader: string | undefined, now: number) => sessionOf(cookieHeader, now) !== undefined

      const isRightPassword = (password: string): Effect.Effect<boolean> => {
        if (Option.isSome(hash)) return verifyPassword(password, hash.value)
        const token = gatewayToken()
        if (token === undefined) return Effect.succeed(false)
        return Effect.sync(() => timingSafeEqual(digest(password), digest(Redacted.value(token))))
      }

      const queue = makeSignInQueue()
      const login = Effect.fn("Auth.login")(function* (password: string, from = UNKNOWN_ADDRESS) {
        if (!(yield* queue.run(from, isRightPassword(password)))) return yield* new InvalidPassword()
        const now = yield* Clock.currentTimeMillis
        // The payload is only the expiry, so two sessions never share a millisecond.
        latestExpiry = Math.max(latestExpiry + 1, now + settings.sessionTtlMs)
        return { value: signSession(latestExpiry, secret), lifetimeMs: latestExpiry - now }
      })

      const logout = Effect.fn("Auth.logout")(function* (cookieHeader: string | undefined) {
        const sessions = liveSessions(cookieHeader, yield* Clock.currentTimeMillis)
        return sessions.length === 0 || (yield* revoked.revoke(sessions))
      })

      const untilEnded = (session: Session): Effect.Effect<void> =>
        Effect.callback((resume) => {
          const forget = revoked.onEnded(session, () => resume(Effect.void))
          return Effect.sync(forget)
        })

      return Auth.of({
        enabled: settings.authEnabled,
        cookieName,
        isAuthenticated: (cookieHeader) =>
          Effect.map(Clock.currentTimeMillis, (now) => !settings.authEnabled || isLive(cookieHeader, now)),
        sessionOf,
        hasSession: (cookieHeader) => Effect.map(Clock.currentTimeMillis, (now) => isLive(cookieHeader, now)),
        login,
        logout,
        onEnded: revoked.onEnded,
        sharesCookie: () => isShared,
        untilEnded
      })
    })
  )
}
