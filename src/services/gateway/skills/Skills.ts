import { Cache, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { InstallHint, MissingOfSkill, type Skill } from "../../../contract/schema/gateway.ts"
import { GatewayCalls } from "../client/GatewayCalls.ts"
import { GatewayCli } from "../client/GatewayCli.ts"
import { GatewayClient } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"

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
const skillOf = (row: typeof Row.Type): Skill => ({
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

/** The agent's skills on the gateway. */
export class Skills extends Context.Service<
  Skills,
  {
    /** One request however many are waiting; nothing is cached. */
    readonly list: Effect.Effect<ReadonlyArray<Skill>, GatewayError>
  }
>()("agent-console/services/gateway/skills/Skills") {
  static readonly layer = Layer.effect(
    Skills,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const calls = yield* GatewayCalls
      const cli = yield* GatewayCli

      const listed = calls
        .orElse(gateway.request("skills.status", {}, SkillStatus), cli.json(["skills", "list", "--json"], SkillStatus))
        .pipe(Effect.map(({ skills }) => skills.map(skillOf)))

      const flight = yield* Cache.makeWith((_: "skills") => listed, {
        capacity: 1,
        timeToLive: () => Duration.zero
      })
      return Skills.of({ list: Cache.get(flight, "skills") })
    })
  )
}
