import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AgentId } from "../../../services/gateway/media/mediaRules.ts"
import { ImageForbidden } from "../../../services/knowledge/images/Images.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { FILE_ERRORS } from "../agents/agentErrorBodies.ts"

const Forbidden = errorBody(ImageForbidden, { code: "forbidden", status: 403, details: (error) => error })

/** Images by path on the console's machine. */
export class ImagesApi extends HttpApiGroup.make("images")
  .add(
    HttpApiEndpoint.get("read", "/api/files", {
      query: { path: Schema.String, agent: Schema.optionalKey(AgentId) },
      success: HttpApiSchema.StreamUint8Array(),
      error: [...FILE_ERRORS, Forbidden]
    }).annotate(
      OpenApi.Summary,
      "Get an image by path, absolute or relative to the workspace of `agent`; the browser caches it for an hour"
    )
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Images") {}
