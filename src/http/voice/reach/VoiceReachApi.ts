import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { VoiceReach } from "../../../contract/schema/voice.ts"
import { Right, rights } from "../../Right.ts"

/** What people have to know before they use their voice. */
export class VoiceReachApi extends HttpApiGroup.make("voiceReach")
  .add(
    HttpApiEndpoint.get("read", "/api/voice", {
      success: VoiceReach
    }).annotate(
      OpenApi.Summary,
      "Get which services texts and recordings would be sent to, and where speech models come from"
    )
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Voice services") {}
