import { Layer } from "effect"
import { ServiceManager } from "../services/machine/service-manager/ServiceManager.ts"
import { Checkout } from "../services/machine/update/Checkout.ts"
import { Commands } from "../services/machine/update/Commands.ts"
import { Machine, Preflight } from "../services/machine/update/Preflight.ts"
import { Processes } from "../services/machine/update/Processes.ts"
import { Releases } from "../services/machine/update/Releases.ts"
import { RemoteRepository } from "../services/machine/update/RemoteRepository.ts"
import { PackageManager, Staging } from "../services/machine/update/Staging.ts"
import { UpdateFiles } from "../services/machine/update/UpdateFiles.ts"
import { UpdateJournal, UpdateLog } from "../services/machine/update/UpdateJournal.ts"
import { UpdateLock } from "../services/machine/update/UpdateLock.ts"
import { Updater } from "../services/machine/update/Updater.ts"
import { HealthProbe } from "../services/machine/update/updateSteps.ts"
import { VersionSwap } from "../services/machine/update/VersionSwap.ts"

/** Everything between an update and the machine that tests replace. */
export const UpdateMachinery = Layer.mergeAll(
  Checkout.layer,
  RemoteRepository.layer,
  PackageManager.layer,
  ServiceManager.layer,
  Releases.layer,
  HealthProbe.layer,
  Machine.layer
).pipe(Layer.provideMerge(Commands.layer))

/** The updater on top of it. */
export const UpdaterOn = Updater.layer.pipe(
  Layer.provide(Layer.mergeAll(Preflight.layer, UpdateLock.layer, UpdateJournal.layer, UpdateLog.layer)),
  Layer.provide(Layer.mergeAll(UpdateFiles.layer, Staging.layer, VersionSwap.layer))
)

/** The updater; needs its target, a report, an HTTP client and the platform. */
export const Updates = UpdaterOn.pipe(Layer.provide(UpdateMachinery), Layer.provide(Processes.layer))
