import { readdir } from "node:fs/promises"
import { isIP } from "node:net"
import { posix } from "node:path"
import { connect } from "node:tls"
import { Clock, Effect, FileSystem } from "effect"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { isEveryInterface } from "../../platform/settings/startRules.ts"
import { certificateFinding } from "./certificateRules.ts"

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
