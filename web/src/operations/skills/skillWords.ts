import type { SkillState } from "../../core/operations/skills.ts"

/** A skill's state in a word or two. */
export const SKILL_WORDS: Readonly<Record<SkillState, string>> = {
  ready: "Ready",
  missing: "Something is missing",
  unavailable: "Cannot be used",
  blocked: "Not allowed",
  off: "Switched off"
}
