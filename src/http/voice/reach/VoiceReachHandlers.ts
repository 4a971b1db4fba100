import { Effect } from "effect"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { voiceReach } from "../../../services/voice/voiceReach.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const VoiceReachHandlers = routeHandlers(
  "voiceReach",
  Effect.fn(function* (handlers) {
    const reach = voiceReach(yield* Settings)
    return handlers.handleAll({ read: () => Effect.succeed(reach) })
  })
)
