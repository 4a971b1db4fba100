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
      "Read what was begun in a session, on whichever device; `updatedAt` without a draft tells when it was removed"
    ),
    HttpApiEndpoint.put("put", "/api/drafts", {
      payload: NewDraft,
      success: Schema.Struct({ updatedAt: Schema.Int }),
      error: StoreFailure
    }).annotate(
      OpenApi.Summary,
      "Keep what was begun in a session; an empty text removes it. The write that arrives last counts, apart from one that its device has overtaken by `count`"
    )
  )
  .annotate(OpenApi.Title, "Drafts") {}
