import { Effect } from "effect"
import { Images } from "../../../services/knowledge/images/Images.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { attachment, fileResponse } from "../files/fileResponse.ts"

/** Destinations in which the browser doesn't run anything in a response. */
const EMBEDDED = new Set(["image", "empty"])

/**
 * Headers of an image. An SVG can contain scripts, so it's sandboxed, and downloaded instead of shown if it's opened as
 * a page. `destination` is the request's `Sec-Fetch-Dest`.
 */
const imageHeaders = (
  contentType: string,
  destination: string | undefined,
  disposition: string
): Readonly<Record<string, string>> => {
  const caching = { "cache-control": "private, max-age=3600, no-transform" }
  if (contentType !== "image/svg+xml") return caching
  const boxed = { ...caching, "content-security-policy": "sandbox", vary: "Sec-Fetch-Dest" }
  return destination === undefined || EMBEDDED.has(destination)
    ? boxed
    : { ...boxed, "content-disposition": disposition }
}

export const ImagesHandlers = routeHandlers(
  "images",
  Effect.fn(function* (handlers) {
    const images = yield* Images
    return handlers.handleAll({
      read: ({ query, request }) =>
        Effect.map(images.open(query.path, query.agent ?? "main"), ({ file, contentType }) =>
          fileResponse(
            file,
            request.headers,
            contentType,
            imageHeaders(contentType, request.headers["sec-fetch-dest"], attachment(file.name))
          )
        )
    })
  })
)
