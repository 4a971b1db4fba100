import { Effect, FileSystem, Option, Path } from "effect"
import { Settings } from "../services/platform/settings/Settings.ts"
import { ListenError } from "./ListenError.ts"

/** A certificate and its key, both PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/**
 * The certificate in `certs/` of the install folder; none unless both files exist.
 * Fails with one sentence if they exist but can't be used.
 */
export const loadCertificate = Effect.gen(function* () {
  const { installDir } = yield* Settings
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const read = (name: string) =>
    fs.readFileString(path.join(installDir, "certs", name)).pipe(
      Effect.asSome,
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(Option.none<string>())),
      Effect.mapError(() => new ListenError({ message: `couldn't read certs/${name}: check its permissions` }))
    )
  const files = Option.all({ cert: yield* read("cert.pem"), key: yield* read("key.pem") })
  if (Option.isNone(files)) return Option.none<Certificate>()
  const { createSecureContext } = yield* Effect.promise(() => import("node:tls"))
  yield* Effect.try({
    try: () => createSecureContext(files.value),
    catch: () =>
      new ListenError({
        message:
          "certs/cert.pem and certs/key.pem can't be used: both must be PEM and the key must belong to the certificate"
      })
  })
  return files
})
