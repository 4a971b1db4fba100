import { connect } from "node:tls"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer } from "effect"
import { EarlyListeners, Listeners, makeRenewal } from "../../src/layers/Listeners.ts"
import { lookAtCertificate } from "../../src/services/machine/doctor/lookAtCertificate.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { makeCertificate } from "../support/makeCertificate.ts"
import { testSettings } from "../support/testSettings.ts"

/** The fingerprint of the certificate that is served at a port. */
const servedAt = (port: number) =>
  Effect.callback<string | undefined>((resume) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resume(Effect.succeed(socket.getPeerX509Certificate()?.fingerprint256))
      socket.destroy()
    })
  })

it.live("a renewed certificate is served without a restart, and until then the doctor says that it isn't", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const installDir = yield* fs.makeTempDirectoryScoped()
    yield* makeCertificate(installDir)
    const settings = testSettings({ installDir, port: 0, sslPort: 0, host: "127.0.0.1" })
    const built = yield* Layer.build(EarlyListeners.pipe(Layer.provide(Settings.layerOf(settings))))
    const { https } = Context.get(built, Listeners)
    const sslPort = https?.port ?? 0
    const look = lookAtCertificate({ ...settings, sslPort }, true)
    const renew = yield* makeRenewal.pipe(Effect.provide(built), Effect.provide(Settings.layerOf(settings)))
    const first = yield* servedAt(sslPort)

    // A certificate ends within a day here, which is another warning.
    assert.include((yield* look).detail, "expires on")
    yield* makeCertificate(installDir)
    assert.include((yield* look).detail, "serves another certificate")
    yield* renew.pipe(Effect.provide(Settings.layerOf(settings)))
    const second = yield* servedAt(sslPort)
    assert.notStrictEqual(second, first)
    assert.include((yield* look).detail, "expires on")

    yield* fs.writeFileString(`${installDir}/certs/key.pem`, "half of a ke")
    yield* renew.pipe(Effect.provide(Settings.layerOf(settings)))
    assert.strictEqual(yield* servedAt(sslPort), second)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
