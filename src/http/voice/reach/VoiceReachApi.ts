import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TTS_PROVIDERS } from "../../../services/voice/tts/speechPlan.ts"

const Service = Schema.Struct({ name: Schema.String, isOnline: Schema.Boolean, isOff: Schema.Boolean })

/** What people have to know before they use their voice. */
export class VoiceReachApi extends HttpApiGroup.make("voiceReach")
  .add(
    HttpApiEndpoint.get("read", "/api/voice", {
      success: Schema.Struct({
        automatic: Schema.Literals(TTS_PROVIDERS),
        speakers: Schema.Record(Schema.Literals(TTS_PROVIDERS), Service),
        models: Service,
        recogniser: Service
      })
    }).annotate(
      OpenApi.Summary,
      "Get which services texts and recordings would be sent to, and where speech models come from"
    )
  )
  .annotate(OpenApi.Title, "Voice services") {}
