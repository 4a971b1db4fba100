import { Option, Schema } from "effect"

/** A secret as the gateway's configuration writes it: the text itself, or where to find it. */
const SecretInput = Schema.Union([
  Schema.String,
  Schema.Struct({ source: Schema.Literals(["env", "file", "exec", "store"]), id: Schema.String })
])

/** The part of `openclaw.json` that says how to reach the gateway; everything else is ignored. */
export const GatewayConfigFile = Schema.Struct({
  env: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  gateway: Schema.optional(
    Schema.Struct({
      /** Read by `portOf`: an invalid port must not prevent finding the token. */
      port: Schema.optional(Schema.Unknown),
      auth: Schema.optional(Schema.Struct({ token: Schema.optional(SecretInput) }))
    })
  )
})

export type GatewayConfigFile = typeof GatewayConfigFile.Type

const decodePort = Schema.decodeUnknownOption(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65535 })))

/** The gateway's port, if its configuration has a valid one. */
export const portOf = (config: GatewayConfigFile): number | undefined =>
  Option.getOrUndefined(decodePort(config.gateway?.port))

/** The kind of a token setting. `variable` is a name, never a value. */
export type TokenLookup =
  | { readonly _tag: "Found"; readonly token: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "UnsetVariable"; readonly variable: string }
  | { readonly _tag: "OtherStore"; readonly source: string }

/** The variable the gateway itself reads if its file has no token. */
const GATEWAY_TOKEN_VARIABLE = "OPENCLAW_GATEWAY_TOKEN"

const WHOLE_REFERENCE = /^(?:\$\{([A-Z_][A-Z0-9_]*)\}|\$([A-Z][A-Z0-9_]*))$/
const INNER_REFERENCE = /\$(\$?)\{([A-Z_][A-Z0-9_]*)\}/g

type Variables = Readonly<Record<string, string | undefined>>

const fromVariable = (variable: string, variables: Variables): TokenLookup => {
  const token = variables[variable]
  return token === undefined ? { _tag: "UnsetVariable", variable } : { _tag: "Found", token }
}

const fromText = (text: string, variables: Variables): TokenLookup => {
  const whole = WHOLE_REFERENCE.exec(text)
  const name = whole?.[1] ?? whole?.[2]
  if (name !== undefined) return fromVariable(name, variables)
  let missing: string | undefined
  const token = text.replace(INNER_REFERENCE, (reference: string, escape: string, variable: string) => {
    if (escape.length > 0) return reference.slice(1)
    const value = variables[variable]
    if (value === undefined) missing ??= variable
    return value ?? ""
  })
  return missing === undefined ? { _tag: "Found", token } : { _tag: "UnsetVariable", variable: missing }
}

/**
 * Reads the gateway's shared token from its decoded configuration. References are `${NAME}`, `$NAME` or an
 * object with `source: "env"`; the first of `sources` that has the variable wins, the file's own `env` block comes
 * last.
 */
export const lookUpToken = (config: GatewayConfigFile, sources: ReadonlyArray<Variables>): TokenLookup => {
  const known = firstFilled([...sources, inlineVariables(config.env ?? {})])
  const setting = config.gateway?.auth?.token
  if (setting === undefined || (typeof setting === "string" && setting.trim().length === 0)) {
    const token = known[GATEWAY_TOKEN_VARIABLE]
    return token === undefined ? { _tag: "Absent" } : { _tag: "Found", token }
  }
  if (typeof setting === "string") return fromText(setting.trim(), known)
  return setting.source === "env" ? fromVariable(setting.id, known) : { _tag: "OtherStore", source: setting.source }
}

const decodeBlock = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))

const inlineVariables = (block: Readonly<Record<string, unknown>>): Variables => {
  const vars = Option.getOrElse(decodeBlock(block.vars), () => ({}))
  const texts: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(block), ...Object.entries(vars)]) {
    if (typeof value === "string") texts[name] = value
  }
  return texts
}

/** An empty variable counts as not set, as it does for the gateway. */
const firstFilled = (sources: ReadonlyArray<Variables>): Variables => {
  const merged: Record<string, string> = {}
  for (const source of sources.toReversed()) {
    for (const [name, value] of Object.entries(source)) {
      const text = value?.trim() ?? ""
      if (text.length > 0) merged[name] = text
    }
  }
  return merged
}
