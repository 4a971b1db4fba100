import { createPrivateKey, X509Certificate } from "node:crypto"
import { DateTime, Result } from "effect"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

const DAY = 86_400_000
/** How many days before it expires a certificate gets a warning. */
const SOON = 14

/** The two files in `certs/`: `undefined` if missing, `unreadable` if this user can't read it. */
export interface CertificateFiles {
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

const REPLACE = "Put a PEM certificate and its key into certs/cert.pem and certs/key.pem, or remove both."

const day = (time: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time))

/** Whether HTTPS works and for how long. `now` in epoch milliseconds. */
export const certificateFinding = (
  { cert, isRunning, key, others, served }: CertificateFiles,
  now: number
): Finding => {
  if (cert === undefined && key === undefined) {
    const other = others.find((name) => LOOKS_LIKE_ONE.test(name))
    return other === undefined
      ? ok("None, so the console uses HTTP only.")
      : warning(
          `certs/ has ${other}, but not certs/cert.pem and certs/key.pem, so HTTPS stays off.`,
          "Name the certificate with its chain (certbot's fullchain.pem) certs/cert.pem and its key (privkey.pem) certs/key.pem, or link them to these names."
        )
  }
  if (cert === undefined || key === undefined) {
    const [there, missing] = cert === undefined ? ["key", "cert"] : ["cert", "key"]
    return warning(`certs/${there}.pem exists but certs/${missing}.pem is missing, so HTTPS stays off.`, REPLACE)
  }
  if (cert === "unreadable" || key === "unreadable") {
    return problem(
      "The console can't start: this user can't read the files in certs/.",
      "Let the user who runs the console read certs/cert.pem and certs/key.pem."
    )
  }
  const parsed = Result.try(() => {
    const certificate = new X509Certificate(cert)
    return { certificate, belongs: certificate.checkPrivateKey(createPrivateKey(key)) }
  })
  if (Result.isFailure(parsed)) {
    return problem("The console can't start: certs/cert.pem or certs/key.pem isn't PEM.", REPLACE)
  }
  const { certificate, belongs } = parsed.success
  if (!belongs) return problem("The console can't start: certs/key.pem doesn't belong to certs/cert.pem.", REPLACE)
  if (isRunning && served === undefined) {
    return warning("certs/ has a certificate that the console doesn't serve yet.", "Restart the console.")
  }
  if (served !== undefined && served !== certificate.fingerprint256) {
    return warning(
      "The console serves another certificate than the one in certs/cert.pem.",
      "A new certificate is used within a minute. If this stays, restart the console."
    )
  }
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (now > to) return problem(`The certificate expired on ${day(to)}, so browsers reject it.`, "Renew it.")
  if (now < from) return problem(`The certificate isn't valid until ${day(from)}.`, "Check this machine's clock.")
  if (to - now < SOON * DAY) {
    return warning(`The certificate expires on ${day(to)}.`, "Renew it.")
  }
  return ok(`Valid until ${day(to)}.`)
}
