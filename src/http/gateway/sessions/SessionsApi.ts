import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { Done, oneOf } from "../../../contract/schema/fields.ts"
import { CompactedSession, SessionOnly, SessionStop, StoppedSession } from "../../../contract/schema/session.ts"
import { MAX_SESSIONS, SessionPage, SessionPatch, SessionRow } from "../../../contract/schema/sessionRow.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { InvalidSessionChange } from "../../../services/gateway/sessions/sessionRules.ts"
import { LabelInUse, MainSession, NothingToStop } from "../../../services/sessions/SessionCommands.ts"
import { DamagedCursor } from "../../../services/sessions/SessionLists.ts"
import { StoreFailure, StoreUnavailable } from "../../board/boardErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { digits } from "../../queryFields.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { GatewayFailure, gatewayQuery, UnknownGatewayError } from "../../serviceErrors.ts"

const Damaged = errorBody(DamagedCursor, {
  code: "validation_error",
  status: 400,
  details: () => failure("BAD_CURSOR", { field: "cursor" })
})

const Refused = errorBody(InvalidSessionChange, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})

const Taken = errorBody(LabelInUse, { code: "label_in_use", status: 409, details: (taken) => taken })

const Main = errorBody(MainSession, {
  code: "main_session",
  status: 409,
  details: () => failure("MAIN_SESSION_STAYS")
})

const Nothing = errorBody(NothingToStop, {
  code: "nothing_to_stop",
  status: 409,
  details: () => failure("NOTHING_TO_STOP")
})

/** What a person does with a whole session. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/api/sessions", {
      query: Schema.Struct({
        ...gatewayQuery,
        limit: Schema.optionalKey(digits(1, MAX_SESSIONS)),
        cursor: Schema.optionalKey(Schema.String),
        archived: Schema.optionalKey(oneOf(["true", "false"]))
      }),
      success: SessionPage,
      error: [...TRUST_ERRORS, Damaged, UnknownGatewayError, GatewayFailure]
    })
      .annotate(
        OpenApi.Summary,
        "List sessions, the latest first: those of one gateway or all, archived ones or the others; 200 at once unless limit says how many, and the answer's cursor leads to the next ones"
      )
      .annotate(Mark, mark({ rate: ratePresets.writing })),
    HttpApiEndpoint.patch("change", "/api/sessions", {
      payload: SessionPatch,
      success: SessionRow,
      error: [...TRUST_ERRORS, Refused, Taken, UnknownGatewayError, GatewayFailure, StoreUnavailable, StoreFailure]
    })
      .annotate(
        OpenApi.Summary,
        "Change a session: its name, model and thinking (null restores the default), whether it's pinned, archived and seen, and its group"
      )
      .annotate(Mark, mark({ rate: ratePresets.writing })),
    HttpApiEndpoint.post("reset", "/api/sessions/reset", {
      payload: SessionOnly,
      success: SessionRow,
      error: [...TRUST_ERRORS, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Begin a session's conversation anew; its settings stay")
  )
  .add(
    HttpApiEndpoint.delete("remove", "/api/sessions", {
      query: SessionOnly.fields,
      success: Done,
      error: [...TRUST_ERRORS, Main, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Delete a session with its conversation; an agent's main session stays"),
    HttpApiEndpoint.post("compact", "/api/sessions/compact", {
      payload: SessionOnly,
      success: CompactedSession,
      error: [...TRUST_ERRORS, UnknownGatewayError, GatewayFailure]
    }).annotate(
      OpenApi.Summary,
      "Shorten what the agent is shown of a conversation; compacted is false where nothing was"
    ),
    HttpApiEndpoint.post("stop", "/api/sessions/stop", {
      payload: SessionStop,
      success: StoppedSession,
      error: [...TRUST_ERRORS, Nothing, UnknownGatewayError, GatewayFailure]
    })
      .annotate(Right, "talk")
      .annotate(OpenApi.Summary, "Stop what runs in a session, or one run of it")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Sessions") {}
