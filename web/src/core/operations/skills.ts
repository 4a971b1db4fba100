import type { Shown } from "../../../../src/contract/looseFields.ts"
import type { InstallHint, MissingOfSkill, Skill, SkillList } from "../../../../src/contract/schema/gateway.ts"
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
  /** What to run on the gateway's machine: it turns the skill on, or says how to set it up; null if nothing helps. */
  readonly command: string | null
}

const SYSTEMS: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" }

const missingReasons = ({ bins, anyBins, env, config, os }: MissingOfSkill): ReadonlyArray<string> => [
  ...(bins?.length
    ? [
        sayCount(
          bins.length,
          "Needs the program {names} on the gateway's machine.",
          "Needs the programs {names} on the gateway's machine.",
          { names: bins.join(", ") }
        )
      ]
    : []),
  ...(anyBins?.length
    ? [say("Needs one of these programs on the gateway's machine: {names}.", { names: anyBins.join(", ") })]
    : []),
  ...(env?.length
    ? [
        sayCount(
          env.length,
          "Needs the environment variable {names} on the gateway.",
          "Needs the environment variables {names} on the gateway.",
          { names: env.join(", ") }
        )
      ]
    : []),
  ...(config?.length
    ? [
        sayCount(
          config.length,
          "Needs the setting {names} in the gateway's configuration.",
          "Needs the settings {names} in the gateway's configuration.",
          { names: config.join(", ") }
        )
      ]
    : []),
  ...(os?.length
    ? [
        say("Only works on {systems}.", {
          systems: new Intl.ListFormat(pageLocale, { type: "disjunction" }).format(
            os.map((name) => SYSTEMS[name] ?? name)
          )
        })
      ]
    : [])
]

/** An outside link; only web addresses are ever linked. */
const webAddress = (text: string): string | null => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : null)

const stateOf = (skill: Skill, missing: ReadonlyArray<string>): SkillState => {
  if (skill.disabled) return "off"
  if (skill.blockedByAllowlist) return "blocked"
  if (skill.eligible) return "ready"
  return missing.length > 0 ? "missing" : "unavailable"
}

/** A name that a shell and a path of the configuration take as it is. */
const PLAIN = /^[\w-]+$/

const commandOf = (name: string, state: SkillState): string | null => {
  if (state === "ready" || !PLAIN.test(name)) return null
  return state === "off" ? `openclaw config set skills.entries.${name}.enabled true` : `openclaw skills info ${name}`
}

const skillView = (skill: Skill): SkillView => {
  const { blockedByAllowlist, bundled, description, disabled, emoji, homepage, install = [], name, source } = skill
  const missing = missingReasons(skill.missing ?? {})
  const state = stateOf(skill, missing)
  return {
    name,
    description,
    emoji,
    source,
    homepage: webAddress(homepage),
    bundled,
    state,
    reasons: [
      ...(disabled ? [say("Turned off in the gateway's configuration.")] : []),
      ...(blockedByAllowlist ? [say("Not on the gateway's list of allowed skills.")] : []),
      ...(state === "ready" ? [] : missing),
      ...(state === "unavailable" ? [say("The gateway says it's unavailable, without a reason.")] : [])
    ],
    command: commandOf(name, state),
    install: state === "ready" ? [] : install.map(({ label, kind = null }) => ({ label, kind }))
  }
}

const RANK: Readonly<Record<SkillState, number>> = { ready: 0, missing: 1, unavailable: 2, blocked: 3, off: 4 }

/** The skills, usable ones first, then by name. */
export const readSkills = ({ skills }: SkillList): ReadonlyArray<SkillView> =>
  skills.map(skillView).toSorted((a, b) => RANK[a.state] - RANK[b.state] || a.name.localeCompare(b.name))

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
