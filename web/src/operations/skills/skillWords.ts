import { say } from "../../core/language/say.ts"
import type { SkillState } from "../../core/operations/skills.ts"

/** A skill's state in a word or two. */
export const SKILL_WORDS: Readonly<Record<SkillState, string>> = {
  ready: say("Ready"),
  missing: say("Needs setup"),
  unavailable: say("Unavailable"),
  blocked: say("Blocked"),
  off: say("Off")
}
