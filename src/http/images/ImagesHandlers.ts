import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Images } from "../../services/images/Images.ts"
import { Api } from "../Api.ts"
import { attachment, fileResponse } from "../files/fileResponse.ts"
import { imageHeaders } from "./imageHeaders.ts"

export const ImagesHandlers = HttpApiBuilder.group(
  Api,
  "images",
  Effect.fn(function* (handlers) {
    const images = yield* Images
    return handlers.handleAll({
      read: ({ query, request }) =>
        Effect.map(images.open(query.path), ({ file, contentType }) =>
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
