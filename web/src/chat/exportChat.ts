import type { AppServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import { copyText } from "../ui/copyText.ts"

/** Copies the code of the newest response that has some. */
export const copyLastCode = async (app: AppServices): Promise<void> => {
  const code = [...document.querySelectorAll("#log .code-block code")].at(-1)?.textContent
  if (code == null) app.notices.show("info", say("There's no code in this conversation yet."))
  else app.notices.show("info", (await copyText(code)) ? say("Code copied") : say("Couldn't copy the code"))
}

/** Copies a response as it was written. */
export const copyAnswer = async (app: AppServices, text: string): Promise<void> =>
  app.notices.show("info", (await copyText(text)) ? say("Response copied") : say("Couldn't copy the response"))
