import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { InstallHint, MissingOfSkill, Skill } from "../../../../src/contract/answers/GatewayAnswers.ts"
import { fieldsOf, filledText, listOf, recordOf, recordsOf, type Shown } from "../common/decode.ts"
import { pageLocale, say, sayCount } from "../language/say.ts"

/** Why a skill can or cannot be used now. */
export type SkillState = "ready" | "missing" | "off" | "blocked" | "unavailable"

/** A way to install what a skill needs, in the gateway's words: what brings it, such as `brew`, and how it is called. */
export type InstallView = Shown<Pick<InstallHint, "label" | "kind">>

/** A skill as shown on screen. */
export interface SkillView {
  readonly name: string
  readonly description: string
  readonly emoji: string
  readonly source: string
  readonly homepage: string | null
  readonly bundled: boolean
  readonly state: SkillState
  /** What is missing or blocks it, one sentence each. */
  readonly reasons: ReadonlyArray<string>
  readonly install: ReadonlyArray<InstallView>
}

const texts = (value: unknown): ReadonlyArray<string> => listOf(value).flatMap((item) => filledText(item) ?? [])

const SYSTEMS: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" }

const missingReasons = (value: unknown): ReadonlyArray<string> => {
  const missing = fieldsOf<MissingOfSkill>(value)
  const bins = texts(missing.bins)
  const anyBins = texts(missing.anyBins)
  const env = texts(missing.env)
  const config = texts(missing.config)
  const os = texts(missing.os)
  return [
    ...(bins.length > 0
      ? [
          sayCount(
            bins.length,
            "Needs the program {names} on the gateway's machine.",
            "Needs the programs {names} on the gateway's machine.",
            { names: bins.join(", ") }
          )
        ]
      : []),
    ...(anyBins.length > 0
      ? [say("Needs one of these programs on the gateway's machine: {names}.", { names: anyBins.join(", ") })]
      : []),
    ...(env.length > 0
      ? [
          sayCount(
            env.length,
            "Needs the environment variable {names} on the gateway.",
            "Needs the environment variables {names} on the gateway.",
            { names: env.join(", ") }
          )
        ]
      : []),
    ...(config.length > 0
      ? [
          sayCount(
            config.length,
            "Needs the setting {names} in the gateway's configuration.",
            "Needs the settings {names} in the gateway's configuration.",
            { names: config.join(", ") }
          )
        ]
      : []),
    ...(os.length > 0
      ? [
          say("Only works on {systems}.", {
            systems: new Intl.ListFormat(pageLocale, { type: "disjunction" }).format(
              os.map((name) => SYSTEMS[name] ?? name)
            )
          })
        ]
      : [])
  ]
}

/** An outside link; only web addresses are ever linked. */
const webAddress = (value: unknown): string | null => {
  const text = filledText(value)
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}

/** Reads a skill; null without a name. */
export const readSkill = (value: unknown): SkillView | null => {
  const skill = fieldsOf<Skill>(value)
  const name = filledText(skill.name)
  if (name === null) return null
  const missing = missingReasons(skill.missing)
  const off = skill.disabled === true
  const blocked = skill.blockedByAllowlist === true
  const state: SkillState = off
    ? "off"
    : blocked
      ? "blocked"
      : skill.eligible === true
        ? "ready"
        : missing.length > 0
          ? "missing"
          : "unavailable"
  return {
    name,
    description: filledText(skill.description) ?? "",
    emoji: filledText(skill.emoji) ?? "",
    source: filledText(skill.source) ?? "",
    homepage: webAddress(skill.homepage),
    bundled: skill.bundled === true,
    state,
    reasons: [
      ...(off ? [say("Turned off in the gateway's configuration.")] : []),
      ...(blocked ? [say("Not on the gateway's list of allowed skills.")] : []),
      ...(state === "ready" ? [] : missing),
      ...(state === "unavailable" ? [say("The gateway says it's unavailable, without a reason.")] : [])
    ],
    install:
      state === "ready"
        ? []
        : recordsOf<InstallHint>(skill.install).flatMap((hint) => {
            const label = filledText(hint.label)
            return label === null ? [] : [{ label, kind: filledText(hint.kind) }]
          })
  }
}

const RANK: Readonly<Record<SkillState, number>> = { ready: 0, missing: 1, unavailable: 2, blocked: 3, off: 4 }

/** The skills, usable ones first, then by name. */
export const readSkills = (body: unknown): ReadonlyArray<SkillView> | null => {
  const fields = recordOf<Answers["GET /api/skills"]>(body)
  if (fields === null || !Array.isArray(fields.skills)) return null
  return fields.skills
    .flatMap((skill) => readSkill(skill) ?? [])
    .toSorted((a, b) => RANK[a.state] - RANK[b.state] || a.name.localeCompare(b.name))
}

/** The skills whose name or description contains every word of a search, in one state or all. */
export const findSkills = (
  skills: ReadonlyArray<SkillView>,
  search: string,
  state: SkillState | "all"
): ReadonlyArray<SkillView> => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return skills.filter((skill) => {
    const text = `${skill.name} ${skill.description}`.toLowerCase()
    return (state === "all" || skill.state === state) && words.every((word) => text.includes(word))
  })
}
