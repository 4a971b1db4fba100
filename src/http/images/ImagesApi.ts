import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ImageForbidden } from "../../services/images/imageRules.ts"
import { errorBody } from "../errorBody.ts"
import { FILE_ERRORS } from "../files/fileErrorBodies.ts"

const Forbidden = errorBody(ImageForbidden, { code: "forbidden", status: 403, details: (error) => error.message })

/** Images by their path on the console's machine (SPEC "Image serving"). */
export class ImagesApi extends HttpApiGroup.make("images")
  .add(
    HttpApiEndpoint.get("read", "/api/files", {
      query: { path: Schema.String },
      success: HttpApiSchema.StreamUint8Array(),
      error: [...FILE_ERRORS, Forbidden]
    }).annotate(OpenApi.Summary, "An image of the agents, kept by the browser for an hour")
  )
  .annotate(OpenApi.Title, "Images") {}
