import { Schema } from "effect"

/** A skill of the agent (SPEC "Other records"); texts the gateway does not have are empty. */
export const Skill = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  emoji: Schema.String,
  eligible: Schema.Boolean,
  disabled: Schema.Boolean,
  blockedByAllowlist: Schema.Boolean,
  bundled: Schema.Boolean,
  source: Schema.String,
  homepage: Schema.String
}).annotate({ identifier: "Skill" })
export type Skill = typeof Skill.Type

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
  homepage: text
})

/** Answer to `skills.status`, and what the command-line tool's `skills list --json` prints. */
export const SkillStatus = Schema.Struct({ skills: Schema.Array(Row) })

/** A row in SPEC's form. */
export const skillOf = (row: typeof Row.Type): Skill => ({
  name: row.name,
  description: row.description ?? "",
  emoji: row.emoji ?? "",
  eligible: row.eligible ?? false,
  disabled: row.disabled ?? false,
  blockedByAllowlist: row.blockedByAllowlist ?? false,
  bundled: row.bundled ?? false,
  source: row.source ?? "",
  homepage: row.homepage ?? ""
})
