import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { say } from "../language/say.ts"

/** A title in a sentence, shortened if it is long. */
export const quotedTitle = (title: string): string => {
  const seen = markUnseen(title, "prose")
  return say("“{title}”", { title: seen.length > 60 ? `${seen.slice(0, 60)}…` : seen })
}
