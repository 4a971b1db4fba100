import { Context, DateTime, Effect, FileSystem, Layer, Path, Semaphore } from "effect"
import { Settings } from "../platform/settings/Settings.ts"
import { createFileAtomic, writeFileAtomic } from "../platform/storage/atomicFile.ts"
import { setMode } from "../platform/storage/fileModes.ts"
import { orStorageFailure, type StorageFailure } from "../platform/storage/StorageFailure.ts"
import { decodeVapidKey, encodeVapidKey, generateVapidKey, type VapidKey } from "./vapidKey.ts"

export interface VapidIdentityShape {
  /** The console's key pair, created when it's first needed. */
  readonly key: Effect.Effect<VapidKey, StorageFailure>
  /** Whether the key pair exists. */
  readonly isThere: Effect.Effect<boolean>
}

const FILE_NAME = "push-key.json"
const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700

/** The key by which push services recognise this console, in `{svc_home}/push-key.json`, 0600. */
export class VapidIdentity extends Context.Service<VapidIdentity, VapidIdentityShape>()(
  "agent-console/services/push/VapidIdentity"
) {
  static readonly layer = Layer.effect(
    VapidIdentity,
    Effect.gen(function* () {
      const { svcHome } = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = (yield* Path.Path).join(svcHome, FILE_NAME)
      const lock = yield* Semaphore.make(1)
      let known: VapidKey | undefined

      const create = Effect.gen(function* () {
        const key = generateVapidKey()
        yield* fs.makeDirectory(svcHome, { recursive: true, mode: DIRECTORY_MODE })
        const created = yield* createFileAtomic(file, encodeVapidKey(key), { mode: FILE_MODE })
        // Another process may have written its key first; that one is used.
        return created ? key : yield* read
      })

      const replaceDamaged = Effect.gen(function* () {
        const aside = `${FILE_NAME}.damaged-${DateTime.formatIso(yield* DateTime.now).replaceAll(":", "-")}`
        yield* fs.rename(file, `${svcHome}/${aside}`)
        const key = generateVapidKey()
        yield* writeFileAtomic(file, encodeVapidKey(key), { mode: FILE_MODE })
        yield* Effect.logWarning(
          `The key for notifications was damaged. It was renamed to ${aside} and replaced by a new one: notifications have to be switched off and on again on each device`
        )
        return key
      })

      const read = Effect.gen(function* () {
        const key = decodeVapidKey(yield* fs.readFileString(file))
        if (key === undefined) return yield* replaceDamaged
        yield* setMode(file, FILE_MODE)
        return key
      })

      const load = read.pipe(
        Effect.catchReason("PlatformError", "NotFound", () => create),
        Effect.tap((key) =>
          Effect.sync(() => {
            known = key
          })
        ),
        Effect.provideContext(platform),
        orStorageFailure(`couldn't read or write the key for notifications (${FILE_NAME})`)
      )

      return VapidIdentity.of({
        isThere: Effect.orElseSucceed(fs.exists(file), () => true),
        key: Effect.suspend(() => (known === undefined ? load : Effect.succeed(known))).pipe(lock.withPermit)
      })
    })
  )
}
