import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { Done } from "../../../contract/schema/fields.ts"
import { CompactedSession, SessionOnly } from "../../../contract/schema/session.ts"
import { MainSession } from "../../../services/sessions/SessionCommands.ts"
import { errorBody } from "../../errorBody.ts"
import { GatewayFailure, UnknownGatewayError } from "../../serviceErrors.ts"

const Main = errorBody(MainSession, {
  code: "main_session",
  status: 409,
  details: () => failure("MAIN_SESSION_STAYS")
})

/** What a person does with a whole session. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.delete("remove", "/api/sessions", {
      query: SessionOnly.fields,
      success: Done,
      error: [Main, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Delete a session with its conversation; an agent's main session stays"),
    HttpApiEndpoint.post("compact", "/api/sessions/compact", {
      payload: SessionOnly,
      success: CompactedSession,
      error: [UnknownGatewayError, GatewayFailure]
    }).annotate(
      OpenApi.Summary,
      "Shorten what the agent is shown of a conversation; compacted is false where nothing was"
    )
  )
  .annotate(OpenApi.Title, "Sessions") {}
