import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { Done } from "../../../contract/schema/fields.ts"
import { CompactedSession, SessionOnly, SessionStop, StoppedSession } from "../../../contract/schema/session.ts"
import { MainSession, NothingToStop } from "../../../services/sessions/SessionCommands.ts"
import { errorBody } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { GatewayFailure, UnknownGatewayError } from "../../serviceErrors.ts"

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
    }).annotate(OpenApi.Summary, "Stop what runs in a session, or one run of it")
  )
  .annotate(OpenApi.Title, "Sessions") {}
