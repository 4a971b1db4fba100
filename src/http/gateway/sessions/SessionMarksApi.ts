import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { HeldMark, MarkChange, SessionMarksState } from "../../../contract/schema/session.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { InvalidSessionChange } from "../../../services/gateway/sessions/sessionRules.ts"
import { StoreFailure, StoreUnavailable } from "../../board/boardErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { GatewayFailure, UnknownGatewayError } from "../../serviceErrors.ts"

const Refused = errorBody(InvalidSessionChange, {
  code: "validation_error",
  status: 400,
  details: (failure) => failure
})

/** Which sessions are pinned, archived, in a group and read. */
export class SessionMarksApi extends HttpApiGroup.make("sessionMarks")
  .add(
    HttpApiEndpoint.get("list", "/api/sessions/marks", {
      success: SessionMarksState,
      error: [...TRUST_ERRORS, StoreUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "List what the console keeps of sessions (pinned, archived, group, read), and from when on responses count as unread; newer gateways keep it in their own rows"
    ),
    HttpApiEndpoint.patch("change", "/api/sessions/marks", {
      payload: MarkChange,
      success: HeldMark,
      error: [...TRUST_ERRORS, Refused, UnknownGatewayError, GatewayFailure, StoreUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "Pin or archive a session, put it in a group or mark it as read, for all devices; times are the gateway's, and null brings it back or takes it out of its group"
    )
  )
  .annotate(Mark, mark({ rate: ratePresets.writing }))
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Session marks") {}
