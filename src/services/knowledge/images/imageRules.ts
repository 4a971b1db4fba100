import { posix } from "node:path"
import { Result, Schema } from "effect"
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
export const imageTypeOf = (path: string): string | undefined => TYPES.get(posix.extname(path).toLowerCase())

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** The locations of images. */
export interface ImageFolders {
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
export const imagePath = (
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
