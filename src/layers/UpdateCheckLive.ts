import { dirname } from "node:path"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { localAddress } from "../services/settings/localAddress.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Releases } from "../services/update/Releases.ts"
import { UpdateTarget } from "../services/update/UpdateTarget.ts"
import { UpdateCheck } from "../services/version/UpdateCheck.ts"

/** The checkout this console runs from: the web app lies two levels below its top. */
const OwnCheckout = Layer.effect(
  UpdateTarget,
  Effect.map(Settings, (settings) => ({
    directory: dirname(dirname(settings.webRoot)),
    svcHome: settings.svcHome,
    address: localAddress(settings),
    path: undefined,
    releasesUrl: settings.releasesUrl
  }))
)

/** Looking for a newer version, without the machinery that installs one. */
export const UpdateCheckLive = UpdateCheck.layer.pipe(
  Layer.provide(Releases.layer),
  Layer.provide(OwnCheckout),
  Layer.provide(FetchHttpClient.layer)
)
