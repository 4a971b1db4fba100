import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { posix } from "node:path"
import { Context, Effect, Layer, Result, Schema, type Scope } from "effect"
import { failure } from "../../../contract/failures.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { attempt, FileMissing, FileRefused, StorageFailure } from "../../platform/storage/fileErrors.ts"
import { AgentWorkspaces } from "../agents/AgentWorkspaces.ts"
import { holdFileAt } from "../files/GuardedRoot.ts"
import { describeOpenFile, type OpenFile } from "../files/OpenFile.ts"
import { isWithin } from "../files/relativePath.ts"

/** The path isn't served: not an image, or not in an allowed folder. */
export class ImageForbidden extends Schema.TaggedError<ImageForbidden>()("ImageForbidden", {
  message: Schema.String
}) {}

const TYPES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".svg", "image/svg+xml"],
  [".avif", "image/avif"]
])

/** The media type of an image by its extension; `undefined` if it isn't served. */
const imageTypeOf = (path: string): string | undefined => TYPES.get(posix.extname(path).toLowerCase())

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** The locations of images. */
interface ImageFolders {
  /** The folder that `~` expands to. */
  readonly home: string
  /** Base of relative paths. */
  readonly workspace: string
  /** Images elsewhere are not served. */
  readonly prefixes: ReadonlyArray<string>
}

/**
 * The requested image's absolute path. Its extension and location are checked before the disk is accessed.
 */
const imagePath = (
  requested: string,
  { home, prefixes, workspace }: ImageFolders
): Result.Result<string, ImageForbidden> => {
  const isHome = requested === "~" || requested.startsWith("~/")
  const isRelative = !isHome && !requested.startsWith("/") && !HAS_SCHEME.test(requested)
  const expanded = isHome ? `${home}${requested.slice(1)}` : isRelative ? `${workspace}/${requested}` : requested
  const path = posix.normalize(expanded)
  const isPlain = posix.isAbsolute(expanded) && !expanded.includes("\0") && expanded.isWellFormed()
  if (!isPlain || !prefixes.some((prefix) => isWithin(prefix, path))) {
    return Result.fail(new ImageForbidden({ message: "images aren't served from this folder" }))
  }
  return imageTypeOf(path) === undefined
    ? Result.fail(new ImageForbidden({ message: "this file type isn't served as an image" }))
    : Result.succeed(path)
}

export interface OpenImage {
  readonly file: OpenFile
  readonly contentType: string
}

export interface ImagesShape {
  /**
   * Opens an image by its absolute or `~` path, or by its path in an agent's workspace, for as long as the scope lasts.
   */
  readonly open: (
    path: string,
    agent: string
  ) => Effect.Effect<OpenImage, FileRefused | ImageForbidden | FileMissing | StorageFailure, Scope.Scope>
}

const isAbsolute = (path: string) => path.startsWith("/") || path.startsWith("~")

/** Images that agents leave in `/tmp`, the gateway's folder, the memory folder and their workspaces. */
export class Images extends Context.Service<Images, ImagesShape>()("agent-console/services/knowledge/images/Images") {
  static readonly layer = Layer.effect(
    Images,
    Effect.gen(function* () {
      const { gatewayHome, memoryDir } = yield* Settings
      const workspaces = yield* AgentWorkspaces
      const always = ["/tmp", gatewayHome, memoryDir].map((folder) => posix.resolve(folder))
      // Looked up at every request, because the folders may be created or be links that change at any time.
      const realFolders = (folders: ReadonlyArray<string>) =>
        Effect.forEach(folders, (folder) => Effect.option(attempt(() => realpath(folder)))).pipe(
          Effect.map((found) => found.flatMap((one) => (one._tag === "Some" ? [one.value] : [])))
        )

      const workspaceOf = (agent: string) =>
        workspaces.of(agent === "main" ? undefined : agent).pipe(
          Effect.map(({ root }) => root),
          Effect.mapError(() => new FileMissing())
        )

      const open = Effect.fn("Images.open")(
        function* (requested: string, agent: string) {
          if (requested === "") return yield* new FileRefused(failure("MISSING", { field: "path" }))
          const workspace = isAbsolute(requested) ? "/" : yield* workspaceOf(agent)
          // The gateway's agents are requested only if the result may depend on them.
          const look = (prefixes: ReadonlyArray<string>) =>
            imagePath(requested, { home: homedir(), prefixes, workspace })
          const folders = Result.isSuccess(look(always)) ? always : [...always, ...(yield* workspaces.roots)]
          const path = yield* Effect.fromResult(look(folders))
          const allowed = yield* realFolders(folders)
          const isAllowed = (real: string) =>
            imageTypeOf(real) !== undefined && allowed.some((folder) => isWithin(folder, real))
          const real = yield* attempt(() => realpath(path))
          if (!isAllowed(real)) return yield* new ImageForbidden({ message: "images aren't served from this folder" })
          const held = yield* holdFileAt(real, isAllowed).pipe(
            Effect.catchTag("FileRefused", () =>
              Effect.fail(new ImageForbidden({ message: "this isn't an image file" }))
            )
          )
          return { file: yield* describeOpenFile(held), contentType: imageTypeOf(held.real) ?? "image/png" }
        },
        Effect.catchTag("FileConflict", (cause) =>
          Effect.fail(new StorageFailure({ message: "couldn't read the image", cause }))
        )
      )

      return Images.of({ open })
    })
  )
}
