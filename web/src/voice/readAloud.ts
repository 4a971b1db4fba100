import type { AppServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import { NOT_LOADED } from "../core/link/loadedPart.ts"
import { spokenReply } from "../core/voice/spokenText.ts"
import { unlockAudio } from "./playAudio.ts"
import { voiceServices } from "./voiceServices.ts"

/** Reads a response aloud; one that's being read falls silent. The composer's button stops it. */
export const readAloud = async (app: AppServices, text: string): Promise<void> => {
  const { speaker } = voiceServices(app)
  unlockAudio()
  const words = await spokenReply(text).catch(() => null)
  if (words === null) return app.notices.show("error", NOT_LOADED.message)
  if (words !== "") await speaker.say(words)
  else app.notices.show("info", say("There's nothing to read aloud in this response."))
}
