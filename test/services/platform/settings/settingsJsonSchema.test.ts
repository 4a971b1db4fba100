import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { settingIssues } from "../../../../src/services/platform/settings/decodeSettings.ts"
import { SETTING_NAMES } from "../../../../src/services/platform/settings/settingNotes.ts"
import { describedIn, settingsJsonSchema } from "../../../../src/services/platform/settings/settingsJsonSchema.ts"

const EXAMPLE = readFileSync(new URL("../../../../.env.example", import.meta.url), "utf8")

interface Property {
  readonly type: string | ReadonlyArray<string>
  readonly description?: string
  readonly default?: string
  readonly enum?: ReadonlyArray<string>
  readonly allOf?: ReadonlyArray<{ readonly pattern?: string }>
  readonly pattern?: string
}

const properties: Readonly<Record<string, Property>> = JSON.parse(
  JSON.stringify(settingsJsonSchema(EXAMPLE).properties)
)

it("has every setting, with its meaning in .env.example", () => {
  assert.deepStrictEqual(Object.keys(properties), SETTING_NAMES)
  for (const [name, property] of Object.entries(properties)) {
    assert.include(property.type, "string", name)
    assert.isAbove(property.description?.length ?? 0, 0, name)
    assert.strictEqual(property.description, describedIn(EXAMPLE).get(name)?.description, name)
  }
})

it("has what the console checks: the words, patterns and defaults that it takes itself", () => {
  for (const [name, property] of Object.entries(properties)) {
    for (const value of [property.default, ...(property.enum ?? [])])
      if (value !== undefined) assert.deepStrictEqual(settingIssues({ [name]: value }), [], `${name}=${value}`)
    if (property.enum !== undefined) assert.strictEqual(settingIssues({ [name]: "something else" }).length, 1, name)
    if (property.default !== undefined && property.enum !== undefined) assert.include(property.enum, property.default)
  }
  const patternsOf = ({ allOf = [], pattern }: Property) =>
    [pattern, ...allOf.map((one) => one.pattern)].filter((one) => one !== undefined)
  for (const name of ["PORT", "HOST", "BASE_PATH", "SVC_INSTANCE", "SVC_SESSION_SECRET", "PUSH_CONTACT"]) {
    const patterns = patternsOf(properties[name] ?? { type: "" })
    assert.strictEqual(patterns.length, 1, name)
    assert.isFalse(new RegExp(patterns[0] ?? "", "u").test("a b"), name)
  }
})
