import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { posix } from "node:path"
import { Context, Effect, Layer, type Scope } from "effect"
import { attempt, type FileMissing, FileRefused } from "../files/fileErrors.ts"
import { holdFileAt } from "../files/GuardedRoot.ts"
import { isWithin } from "../files/relativePath.ts"
import { StorageFailure } from "../files/StorageFailure.ts"
import { describeOpenFile, type OpenFile } from "../files/WorkspaceFiles.ts"
import { Settings } from "../settings/Settings.ts"
import { ImageForbidden, imagePath, imageTypeOf } from "./imageRules.ts"

export interface OpenImage {
  readonly file: OpenFile
  readonly contentType: string
}

export interface ImagesShape {
  /** Opens an image by its absolute or `~` path, for as long as the scope lasts. */
  readonly open: (
    path: string
  ) => Effect.Effect<OpenImage, FileRefused | ImageForbidden | FileMissing | StorageFailure, Scope.Scope>
}

/** Images that agents leave in `/tmp`, the gateway's folder and the memory folder (SPEC "Image serving"). */
export class Images extends Context.Service<Images, ImagesShape>()("agent-console/services/images/Images") {
  static readonly layer = Layer.effect(
    Images,
    Effect.gen(function* () {
      const { gatewayHome, memoryDir } = yield* Settings
      const prefixes = ["/tmp", gatewayHome, memoryDir].map((folder) => posix.resolve(folder))
      // Looked up at every request, since the folders may be made, or be links that change, while the console runs.
      const realPrefixes = Effect.forEach(prefixes, (folder) => Effect.option(attempt(() => realpath(folder)))).pipe(
        Effect.map((found) => found.flatMap((one) => (one._tag === "Some" ? [one.value] : [])))
      )

      const open = Effect.fn("Images.open")(
        function* (requested: string) {
          if (requested === "") return yield* new FileRefused({ message: "path: is missing" })
          const path = yield* Effect.fromResult(imagePath(requested, homedir(), prefixes))
          const allowed = yield* realPrefixes
          const isAllowed = (real: string) =>
            imageTypeOf(real) !== undefined && allowed.some((folder) => isWithin(folder, real))
          const real = yield* attempt(() => realpath(path))
          if (!isAllowed(real)) return yield* new ImageForbidden({ message: "images are not served from there" })
          const held = yield* holdFileAt(real, isAllowed).pipe(
            Effect.catchTag("FileRefused", () =>
              Effect.fail(new ImageForbidden({ message: "this is not a file that is served as an image" }))
            )
          )
          return { file: yield* describeOpenFile(held), contentType: imageTypeOf(held.real) ?? "image/png" }
        },
        Effect.catchTag("FileConflict", (cause) =>
          Effect.fail(new StorageFailure({ message: "the image could not be read", cause }))
        )
      )

      return Images.of({ open })
    })
  )
}
