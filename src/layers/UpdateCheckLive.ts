import { dirname } from "node:path"
import { Clock, Effect, Layer } from "effect"
import { reasonOf } from "../contract/failure.ts"
import { failure } from "../contract/failures.ts"
import { Releases } from "../services/machine/update/Releases.ts"
import { UpdateCheck } from "../services/machine/update/UpdateCheck.ts"
import { UpdateTarget } from "../services/machine/update/UpdateTarget.ts"
import { mayReach } from "../services/platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { localAddress } from "../services/platform/settings/startRules.ts"
import { packageInfo } from "../services/platform/version/packageInfo.ts"

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

const Checking = UpdateCheck.layer.pipe(Layer.provide(Releases.layer), Layer.provide(OwnCheckout))

/** No request: the code host would be another machine. */
const NotInDemo = Layer.succeed(UpdateCheck, {
  check: Effect.map(Clock.currentTimeMillis, (checkedAt) => ({
    current: packageInfo.version,
    latest: null,
    updateAvailable: false,
    installable: false,
    ...reasonOf(failure("UPDATES_OFF_IN_DEMO")),
    checkedAt
  }))
})

/** Checks for a newer version, without the code that installs one. */
export const UpdateCheckLive = Layer.unwrap(
  Effect.map(Settings, (settings) => (mayReach(settings, settings.releasesUrl ?? "") ? Checking : NotInDemo))
)
