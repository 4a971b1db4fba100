import { dirname } from "node:path"
import { Effect, Layer } from "effect"
import { Releases } from "../services/machine/update/Releases.ts"
import { UpdateCheck } from "../services/machine/update/UpdateCheck.ts"
import { UpdateTarget } from "../services/machine/update/UpdateTarget.ts"
import { localAddress } from "../services/platform/settings/localAddress.ts"
import { Settings } from "../services/platform/settings/Settings.ts"

/** The checkout this console runs from: the web app is two levels below its root. */
const OwnCheckout = Layer.effect(
  UpdateTarget,
  Effect.map(Settings, (settings) => ({
    directory: dirname(dirname(settings.webRoot)),
    svcHome: settings.svcHome,
    address: localAddress(settings),
    path: undefined,
    releasesUrl: settings.releasesUrl,
    allowedSigners: settings.updateAllowedSigners
  }))
)

/** Checks for a newer version, without the code that installs one. */
export const UpdateCheckLive = UpdateCheck.layer.pipe(Layer.provide(Releases.layer), Layer.provide(OwnCheckout))
