import { Layer } from "effect"
import { ServiceManager } from "../services/service-manager/ServiceManager.ts"
import { Checkout } from "../services/update/Checkout.ts"
import { Commands } from "../services/update/Commands.ts"
import { HealthProbe } from "../services/update/HealthProbe.ts"
import { PackageManager } from "../services/update/PackageManager.ts"
import { Machine, Preflight } from "../services/update/Preflight.ts"
import { Processes } from "../services/update/Processes.ts"
import { Releases } from "../services/update/Releases.ts"
import { UpdateFiles } from "../services/update/UpdateFiles.ts"
import { UpdateJournal } from "../services/update/UpdateJournal.ts"
import { UpdateLock } from "../services/update/UpdateLock.ts"
import { Updater } from "../services/update/Updater.ts"

/** Everything between an update and the machine that tests put something else in place of. */
export const UpdateMachinery = Layer.mergeAll(
  Checkout.layer,
  PackageManager.layer,
  ServiceManager.layer,
  Releases.layer,
  HealthProbe.layer,
  Machine.layer
).pipe(Layer.provideMerge(Commands.layer))

/** The updater on top of such machinery. */
export const UpdaterOn = Updater.layer.pipe(
  Layer.provide(Layer.mergeAll(Preflight.layer, UpdateLock.layer, UpdateJournal.layer)),
  Layer.provide(UpdateFiles.layer)
)

/** The updater; needs its target, a report, an HTTP client and the platform. */
export const Updates = UpdaterOn.pipe(Layer.provide(UpdateMachinery), Layer.provide(Processes.layer))
