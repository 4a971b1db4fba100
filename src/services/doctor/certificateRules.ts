import { createPrivateKey, X509Certificate } from "node:crypto"
import { DateTime, Result } from "effect"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

const DAY = 86_400_000
/** Days before its end at which a certificate is worth a word. */
const SOON = 14

/** The two files of `certs/`; `undefined` where one is missing, `unreadable` where it may not be read. */
export interface CertificateFiles {
  readonly cert: string | "unreadable" | undefined
  readonly key: string | "unreadable" | undefined
}

const REPLACE = "Put a PEM certificate and its key into certs/cert.pem and certs/key.pem, or remove both."

const day = (time: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time))

/** Whether HTTPS works and for how long (SPEC "Configuration variables"). `now` in epoch milliseconds. */
export const certificateFinding = ({ cert, key }: CertificateFiles, now: number): Finding => {
  if (cert === undefined && key === undefined) return ok("None, so the console answers by HTTP alone.")
  if (cert === undefined || key === undefined) {
    const [there, missing] = cert === undefined ? ["key", "cert"] : ["cert", "key"]
    return warning(`certs/${there}.pem is there, but certs/${missing}.pem is missing: HTTPS stays off.`, REPLACE)
  }
  if (cert === "unreadable" || key === "unreadable") {
    return problem(
      "The files in certs/ may not be read, so the console does not start.",
      "Give the user who runs the console the right to read certs/cert.pem and certs/key.pem."
    )
  }
  const parsed = Result.try(() => {
    const certificate = new X509Certificate(cert)
    return { certificate, belongs: certificate.checkPrivateKey(createPrivateKey(key)) }
  })
  if (Result.isFailure(parsed)) {
    return problem("certs/cert.pem or certs/key.pem is not PEM, so the console does not start.", REPLACE)
  }
  const { certificate, belongs } = parsed.success
  if (!belongs)
    return problem("certs/key.pem does not belong to certs/cert.pem, so the console does not start.", REPLACE)
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (now > to)
    return problem(`The certificate ended on ${day(to)}: browsers refuse it.`, "Renew it and restart the console.")
  if (now < from) return problem(`The certificate begins only on ${day(from)}.`, "Check the clock of this machine.")
  if (to - now < SOON * DAY) {
    return warning(`The certificate ends on ${day(to)}.`, "Renew it and restart the console.")
  }
  return ok(`Valid until ${day(to)}.`)
}
