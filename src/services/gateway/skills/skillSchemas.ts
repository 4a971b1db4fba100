import { Option, Schema } from "effect"
import { InstallHint, MissingOfSkill, type Skill } from "../../../contract/schema/gateway.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const flag = Schema.optionalKey(Schema.NullOr(Schema.Boolean))

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

const decodeMissing = Schema.decodeUnknownOption(MissingOfSkill)
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
