import { Effect } from "effect"
import { Images } from "../../../services/knowledge/images/Images.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { attachment, fileResponse } from "../files/fileResponse.ts"
import { imageHeaders } from "./imageHeaders.ts"

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
