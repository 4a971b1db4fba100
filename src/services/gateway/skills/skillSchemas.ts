import { Option, Schema } from "effect"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const flag = Schema.optionalKey(Schema.NullOr(Schema.Boolean))
const texts = Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))

/** What a skill needs but the gateway's machine lacks: programs, variables, settings, an operating system. */
const Missing = Schema.Struct({ bins: texts, anyBins: texts, env: texts, config: texts, os: texts })
/** A way to install what is missing, in the gateway's words. */
const InstallHint = Schema.Struct({ id: text, kind: text, label: Schema.String })

/**
 * A skill of the agent; missing texts are empty. `missing` and `install` say why it isn't
 * eligible, if the gateway does.
 */
export const Skill = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  emoji: Schema.String,
  eligible: Schema.Boolean,
  disabled: Schema.Boolean,
  blockedByAllowlist: Schema.Boolean,
  bundled: Schema.Boolean,
  source: Schema.String,
  homepage: Schema.String,
  missing: Schema.optionalKey(Missing),
  install: Schema.optionalKey(Schema.Array(InstallHint))
}).annotate({ identifier: "Skill" })
export type Skill = typeof Skill.Type

const Row = Schema.Struct({
  name: Schema.String,
  description: text,
  emoji: text,
  eligible: flag,
  disabled: flag,
  blockedByAllowlist: flag,
  bundled: flag,
  source: text,
  homepage: text,
  missing: Schema.optionalKey(Schema.Unknown),
  install: Schema.optionalKey(Schema.Unknown)
})

const decodeMissing = Schema.decodeUnknownOption(Missing)
const decodeInstall = Schema.decodeUnknownOption(Schema.Array(InstallHint))

/** Answer to `skills.status`, and what the command-line tool's `skills list --json` prints. */
export const SkillStatus = Schema.Struct({ skills: Schema.Array(Row) })

/** Reasons and hints for an unavailable skill; an unknown form is no reason to hide the skill. */
const reasons = (row: typeof Row.Type): Pick<Skill, "missing" | "install"> => {
  if (row.eligible === true) return {}
  const missing = decodeMissing(row.missing)
  const install = decodeInstall(row.install)
  return {
    ...(Option.isSome(missing) ? { missing: missing.value } : {}),
    ...(Option.isSome(install) && install.value.length > 0 ? { install: install.value } : {})
  }
}

/** A row as returned by the API. */
export const skillOf = (row: typeof Row.Type): Skill => ({
  name: row.name,
  description: row.description ?? "",
  emoji: row.emoji ?? "",
  eligible: row.eligible ?? false,
  disabled: row.disabled ?? false,
  blockedByAllowlist: row.blockedByAllowlist ?? false,
  bundled: row.bundled ?? false,
  source: row.source ?? "",
  homepage: row.homepage ?? "",
  ...reasons(row)
})
