import { createPrivateKey, X509Certificate } from "node:crypto"
import { readdir } from "node:fs/promises"
import { isIP } from "node:net"
import { posix } from "node:path"
import { connect } from "node:tls"
import { Clock, DateTime, Effect, FileSystem, Result } from "effect"
import { failure } from "../../../contract/failures.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { isEveryInterface } from "../../platform/settings/startRules.ts"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

const DAY = 86_400_000
/** How many days before it expires a certificate gets a warning. */
const SOON = 14

/** The two files in `certs/`: `undefined` if missing, `unreadable` if this user can't read it. */
interface CertificateFiles {
  readonly cert: string | "unreadable" | undefined
  readonly key: string | "unreadable" | undefined
  /** The names of all files in the folder. */
  readonly others: ReadonlyArray<string>
  /** SHA-256 of the certificate that the running console serves, with colons; `undefined` if none is served. */
  readonly served: string | undefined
  /** Whether this is about a running console, which should serve it. */
  readonly isRunning: boolean
}

const LOOKS_LIKE_ONE = /\.(pem|crt|cer|key|p12|pfx)$/i

const REPLACE = failure("PUT_CERTIFICATE")

const day = (time: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time))

/** Whether HTTPS works and for how long. `now` in epoch milliseconds. */
export const certificateFinding = (
  { cert, isRunning, key, others, served }: CertificateFiles,
  now: number
): Finding => {
  if (cert === undefined && key === undefined) {
    const other = others.find((name) => LOOKS_LIKE_ONE.test(name))
    return other === undefined
      ? ok(failure("NO_CERTIFICATE"))
      : warning(failure("CERTIFICATE_OTHER_NAME", { name: other }), failure("NAME_CERTIFICATE"))
  }
  if (cert === undefined || key === undefined) {
    const [there, missing] = cert === undefined ? ["key", "cert"] : ["cert", "key"]
    return warning(failure("CERTIFICATE_HALF", { there, missing }), REPLACE)
  }
  if (cert === "unreadable" || key === "unreadable") {
    return problem(failure("CERTIFICATE_UNREADABLE"), failure("ALLOW_CERTIFICATE"))
  }
  const parsed = Result.try(() => {
    const certificate = new X509Certificate(cert)
    return { certificate, belongs: certificate.checkPrivateKey(createPrivateKey(key)) }
  })
  if (Result.isFailure(parsed)) {
    return problem(failure("CERTIFICATE_NOT_PEM"), REPLACE)
  }
  const { certificate, belongs } = parsed.success
  if (!belongs) return problem(failure("CERTIFICATE_WRONG_KEY"), REPLACE)
  if (isRunning && served === undefined) {
    return warning(failure("CERTIFICATE_NOT_SERVED"), failure("RESTART_CONSOLE"))
  }
  if (served !== undefined && served !== certificate.fingerprint256) {
    return warning(failure("CERTIFICATE_OTHER_SERVED"), failure("CERTIFICATE_WAIT"))
  }
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (now > to) return problem(failure("CERTIFICATE_EXPIRED", { day: day(to) }), failure("RENEW_CERTIFICATE"))
  if (now < from) return problem(failure("CERTIFICATE_NOT_YET_VALID", { day: day(from) }), failure("CHECK_CLOCK"))
  if (to - now < SOON * DAY) {
    return warning(failure("CERTIFICATE_EXPIRES", { day: day(to) }), failure("RENEW_CERTIFICATE"))
  }
  return ok(failure("CERTIFICATE_VALID", { day: day(to) }))
}

const ANSWER_LIMIT = "3 seconds"
const FOLDER = "certs"

/** The SHA-256 of the certificate that is served at the console's own HTTPS port; `undefined` if none is. */
const servedCertificate = ({ host, sslPort }: Pick<SettingsShape, "host" | "sslPort">) =>
  Effect.callback<string | undefined>((resume) => {
    const socket = connect({
      host: isEveryInterface(host) ? "127.0.0.1" : host,
      port: sslPort,
      // It's compared with the file, whoever signed it.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {})
    })
    const end = (fingerprint: string | undefined) => {
      socket.destroy()
      resume(Effect.succeed(fingerprint))
    }
    socket.once("secureConnect", () => end(socket.getPeerX509Certificate()?.fingerprint256))
    socket.once("error", () => end(undefined))
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeout(ANSWER_LIMIT),
    Effect.orElseSucceed(() => undefined)
  )

/** Reads the files in `certs/`, and looks what is served. */
export const lookAtCertificate = Effect.fn("lookAtCertificate")(function* (
  settings: Pick<SettingsShape, "host" | "installDir" | "sslPort">,
  isRunning: boolean
) {
  const fs = yield* FileSystem.FileSystem
  const read = (name: string) =>
    fs.readFileString(posix.join(settings.installDir, FOLDER, name)).pipe(
      Effect.map((text): string | undefined => text),
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)),
      Effect.orElseSucceed(() => "unreadable" as const)
    )
  const files = { cert: yield* read("cert.pem"), key: yield* read("key.pem") }
  const isThere = files.cert !== undefined && files.key !== undefined
  const others = yield* Effect.tryPromise(() => readdir(posix.join(settings.installDir, FOLDER))).pipe(
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  // A port that the system chose isn't known here.
  const isKnown = settings.sslPort !== 0
  const served = isThere && isKnown ? yield* servedCertificate(settings) : undefined
  const now = yield* Clock.currentTimeMillis
  return certificateFinding({ ...files, others, served, isRunning: isRunning && isKnown }, now)
})
