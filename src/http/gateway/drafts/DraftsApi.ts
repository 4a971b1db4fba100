import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DraftQuery, DraftState, NewDraft } from "../../../services/drafts/draft.ts"
import { StoreFailure } from "../../board/boardErrors.ts"

/** What people have begun to write. */
export class DraftsApi extends HttpApiGroup.make("drafts")
  .add(
    HttpApiEndpoint.get("get", "/api/drafts", {
      query: DraftQuery,
      success: DraftState,
      error: StoreFailure
    }).annotate(
      OpenApi.Summary,
      "Get a session's draft, whichever device it's from; `updatedAt` without a draft says when it was removed"
    ),
    HttpApiEndpoint.put("put", "/api/drafts", {
      payload: NewDraft,
      success: Schema.Struct({ updatedAt: Schema.Int }),
      error: StoreFailure
    }).annotate(
      OpenApi.Summary,
      "Save a session's draft; an empty text removes it. The last write counts, unless the same device has already sent a newer one (`count`)"
    )
  )
  .annotate(OpenApi.Title, "Drafts") {}
