import type { Server } from "node:http"
import type { SecureContextOptions } from "node:tls"
import { Effect, Option, Schedule } from "effect"
import { type Certificate, loadCertificate } from "./certificates.ts"
import { Listeners } from "./Listeners.ts"

/** Certificates are renewed weeks before they end, so nobody notices a minute. */
const LOOK_EVERY = "1 minute"

const hasCertificate = (
  server: Server
): server is Server & { setSecureContext: (options: SecureContextOptions) => void } =>
  "setSecureContext" in server && typeof server.setSecureContext === "function"

const isSame = (one: Certificate, other: Certificate) => one.cert === other.cert && one.key === other.key

/** Looks at the files in `certs/`, and has the server use them if they are others than before and belong together. */
export const makeRenewal = Effect.gen(function* () {
  const { https } = yield* Listeners
  const server = https?.deferred.server
  let used = yield* loadCertificate.pipe(Effect.orElseSucceed(() => Option.none<Certificate>()))
  let refused = ""
  return loadCertificate.pipe(
    Effect.flatMap((found) => {
      refused = ""
      if (Option.isNone(found) || server === undefined || !hasCertificate(server)) return Effect.void
      if (Option.exists(used, (one) => isSame(one, found.value))) return Effect.void
      used = found
      server.setSecureContext(found.value)
      return Effect.logInfo("The certificate in certs/ was renewed, and is used from now on")
    }),
    Effect.catchTag("ListenError", ({ message }) => {
      // The two files are replaced one after the other, so the first look may come in between.
      if (message === refused) return Effect.void
      refused = message
      return Effect.logWarning(`The console goes on with the certificate it has: ${message}`)
    })
  )
})

/** Serves a renewed certificate without a restart, for as long as the scope lasts. */
export const keepCertificate = Effect.gen(function* () {
  const { https } = yield* Listeners
  if (https === undefined) return
  const renew = yield* makeRenewal
  yield* Effect.forkScoped(Effect.repeat(renew, Schedule.spaced(LOOK_EVERY)))
})
