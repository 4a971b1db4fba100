import { posix } from "node:path"
import { Result, Schema } from "effect"
import { isWithin } from "../files/relativePath.ts"

/** The path may not be served: not an image, or not in a place images are served from. */
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

/** The media type of an image by its extension; `undefined` for what is not served (SPEC "Image serving"). */
export const imageTypeOf = (path: string): string | undefined => TYPES.get(posix.extname(path).toLowerCase())

/**
 * The absolute path an image is asked for by, `~` being the home folder. Its extension and, separators respected, its
 * place must be allowed before anything is looked up on the disk.
 */
export const imagePath = (
  requested: string,
  home: string,
  prefixes: ReadonlyArray<string>
): Result.Result<string, ImageForbidden> => {
  const expanded = requested === "~" || requested.startsWith("~/") ? `${home}${requested.slice(1)}` : requested
  const path = posix.normalize(expanded)
  const isPlain = posix.isAbsolute(expanded) && !expanded.includes("\0") && expanded.isWellFormed()
  if (!isPlain || !prefixes.some((prefix) => isWithin(prefix, path))) {
    return Result.fail(new ImageForbidden({ message: "images are not served from there" }))
  }
  return imageTypeOf(path) === undefined
    ? Result.fail(new ImageForbidden({ message: "this type of file is not served as an image" }))
    : Result.succeed(path)
}
