import { ByteSize } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DraftQuery, DraftState, NewDraft, SavedDraft } from "../../../contract/schema/session.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { StoreFailure, StoreUnavailable } from "../../board/boardErrors.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"

/** JSON escapes make a text larger, by a factor of six at worst; the route checks the text itself. */
const MAX_DRAFT = ByteSize.mebibytes(3)

/** What people have begun to write. */
export class DraftsApi extends HttpApiGroup.make("drafts")
  .add(
    HttpApiEndpoint.get("get", "/api/drafts", {
      query: DraftQuery,
      success: DraftState,
      error: [...TRUST_ERRORS, StoreUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "Get a session's draft, whichever device it's from; `updatedAt` without a draft says when it was removed"
    ),
    HttpApiEndpoint.put("put", "/api/drafts", {
      payload: NewDraft,
      success: SavedDraft,
      error: [...TRUST_ERRORS, StoreUnavailable, StoreFailure]
    })
      .annotate(
        OpenApi.Summary,
        "Save a session's draft; an empty text removes it. The last write counts, unless the same device has already sent a newer one (`count`)"
      )
      .annotate(Mark, mark({ rate: ratePresets.writing, bodyLimit: MAX_DRAFT }))
  )
  .annotate(Mark, mark({ rate: ratePresets.writing }))
  .annotate(Right, rights("talk", "talk"))
  .annotate(OpenApi.Title, "Drafts") {}
