import { Schema } from "effect"
import { EnvironmentSchema } from "./settingsSchema.ts"

/** What `.env.example` says about a setting. */
interface Described {
  readonly description: string
  readonly default?: string
}

/** A line of meaning, and below it the setting with its default. */
const ENTRY = /^# (.+)\n#([A-Z_]+)=(.*)$/gm

/** The settings in the text of `.env.example`, by name. */
export const describedIn = (example: string): ReadonlyMap<string, Described> =>
  new Map(
    Array.from(example.matchAll(ENTRY), ([, description = "", name = "", value = ""]) => [
      name,
      value === "" ? { description } : { description, default: value }
    ])
  )

/** A whole number is written as a text in an environment, and may be one in JSON or YAML. */
const NUMBER = { type: ["string", "integer"], pattern: "^[0-9]{1,15}$" }

/**
 * The JSON Schema of the settings as variables of an environment or a `.env` file. What values may be is what the console
 * itself checks, as far as JSON Schema can say that; meanings and defaults are those of `.env.example`.
 */
export const settingsJsonSchema = (example: string) => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(EnvironmentSchema))
  const described = describedIn(example)
  const values: Readonly<Record<string, { readonly type?: string }>> = { ...Object(schema.properties) }
  const properties = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { ...described.get(name), ...(value.type === "string" ? value : NUMBER) }
    ])
  )
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of Agent Console",
    type: "object",
    properties,
    // The gateway's own variables may be beside them.
    patternProperties: { "^OPENCLAW_": { type: "string" } },
    additionalProperties: false
  }
}
