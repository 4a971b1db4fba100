import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { Context, Effect, FileSystem, Layer, Path, Schema } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { ACCESS_FILE, ACCESS_MODE, AccessFile } from "./readAccess.ts"

export interface LocalAccessShape {
  /** Whether this is the secret of this start. */
  readonly isRight: (secret: string) => boolean
  /** Publishes the address and the secret to commands on this machine until the scope closes. */
  readonly announce: (address: string) => Effect.Effect<void>
}

const digest = (text: string) => createHash("sha256").update(text).digest()
const encode = Schema.encodeEffect(AccessFile)
const decode = Schema.decodeUnknownEffect(AccessFile)

/**
 * Lets commands on this machine find and call the running console: any process that can read a file in its folder may
 * search, and list, add and remove gateways. Every start has its own secret.
 */
export class LocalAccess extends Context.Service<LocalAccess, LocalAccessShape>()(
  "agent-console/services/access/local/LocalAccess"
) {
  static readonly layer = Layer.effect(
    LocalAccess,
    Effect.gen(function* () {
      const { basePath, svcHome } = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = paths.join(svcHome, ACCESS_FILE)
      const secret = randomBytes(32).toString("base64url")
      const known = digest(secret)
      let isAnnounced = false

      const removeOwn = Effect.gen(function* () {
        const found = yield* decode(yield* fs.readFileString(file))
        // Another console of the same folder may have been started since.
        if (found.secret === secret) yield* fs.remove(file)
      })
      yield* Effect.addFinalizer(() => (isAnnounced ? Effect.ignore(removeOwn) : Effect.void))

      const announce = Effect.fn("LocalAccess.announce")(function* (address: string) {
        isAnnounced = true
        const text = yield* encode({ address, secret, pid: process.pid, ...(basePath === "" ? {} : { basePath }) })
        // Commands reject a link, so the link is replaced and not its target.
        yield* writeFileAtomic(file, `${text}\n`, { mode: ACCESS_MODE, isResolved: true })
      })

      return LocalAccess.of({
        isRight: (given) => timingSafeEqual(digest(given), known),
        announce: (address) =>
          announce(address).pipe(
            Effect.provideContext(platform),
            Effect.catch((cause) =>
              Effect.logWarning(`Commands can't reach this console, because ${ACCESS_FILE} couldn't be written`, cause)
            )
          )
      })
    })
  )
}
