import { execFileSync } from "node:child_process"
import { Effect, FileSystem } from "effect"

/** Creates a self-signed certificate for localhost, valid for a day, where a console installed there looks for it. */
export const makeCertificate = Effect.fnUntraced(function* (installDir: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(`${installDir}/certs`, { recursive: true })
  yield* Effect.sync(() =>
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"],
        ...["-subj", "/CN=localhost", "-keyout", `${installDir}/certs/key.pem`, "-out", `${installDir}/certs/cert.pem`]
      ],
      { stdio: "ignore" }
    )
  )
})
