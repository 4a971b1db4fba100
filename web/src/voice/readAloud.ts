import type { AppServices } from "../base/AppContext.ts"
import { spokenReply } from "../core/voice/spokenReply.ts"
import { unlockAudio } from "./playAudio.ts"
import { voiceServices } from "./voiceServices.ts"

/** Reads a response aloud; one that's being read falls silent. The composer's button stops it. */
export const readAloud = (app: AppServices, text: string): void => {
  const { speaker } = voiceServices(app)
  unlockAudio()
  void speaker.say(spokenReply(text))
}
