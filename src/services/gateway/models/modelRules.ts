import { Schema } from "effect"
import type { Model } from "../../../contract/schema/session.ts"

/** A row of the gateway's `models.list`; its id has no provider. */
export const CatalogueRow = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Newer gateways only. */
  tags: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  available: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type CatalogueRow = typeof CatalogueRow.Type

/** Answer to `models.list`. */
export const Catalogue = Schema.Struct({ models: Schema.Array(CatalogueRow) })

/** A row of the command-line tool's `models list --json`; `key` is `provider/model`. */
const CliRow = Schema.Struct({
  key: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  available: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  missing: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
type CliRow = typeof CliRow.Type

/** Output of the command-line tool's `models list --json`. */
export const CliCatalogue = Schema.Struct({ models: Schema.Array(CliRow) })

const Choice = Schema.Union([
  Schema.String,
  Schema.Struct({
    primary: Schema.optionalKey(Schema.String),
    fallbacks: Schema.optionalKey(Schema.Array(Schema.String))
  })
])
type ModelChoice = typeof Choice.Type

const Provider = Schema.Struct({
  models: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.optionalKey(Schema.String) }))
  )
})

/** The parts of the gateway's configuration that name models; anything else in it is left out. */
const ModelConfig = Schema.Struct({
  agents: Schema.optionalKey(
    Schema.Struct({
      defaults: Schema.optionalKey(
        Schema.Struct({
          model: Schema.optionalKey(Choice),
          /** The allow-list: `provider/model`, or `provider/*`, to settings of that model. */
          models: Schema.optionalKey(
            Schema.Record(Schema.String, Schema.Struct({ alias: Schema.optionalKey(Schema.String) }))
          )
        })
      ),
      list: Schema.optionalKey(Schema.Array(Schema.Struct({ model: Schema.optionalKey(Choice) })))
    })
  ),
  models: Schema.optionalKey(Schema.Struct({ providers: Schema.optionalKey(Schema.Record(Schema.String, Provider)) }))
})
type ModelConfig = typeof ModelConfig.Type

/** Answer to `config.get`. */
export const ConfigAnswer = Schema.Struct({ config: ModelConfig })

const idOf = (row: CatalogueRow) => `${row.provider}/${row.id}`
const providerOf = (id: string) => id.slice(0, Math.max(0, id.indexOf("/")))

const chosen = (choice: ModelChoice | undefined): ReadonlyArray<string> => {
  if (choice === undefined) return []
  if (typeof choice === "string") return [choice]
  return [...(choice.primary === undefined ? [] : [choice.primary]), ...(choice.fallbacks ?? [])]
}

interface Named {
  readonly ids: ReadonlyArray<string>
  readonly labels: ReadonlyMap<string, string>
}

/** What the configuration names: models in use first, then the allow-list or, without one, what providers declare. */
const namedIn = (config: ModelConfig): Named => {
  const labels = new Map<string, string>()
  const defaults = config.agents?.defaults
  const inUse = [...chosen(defaults?.model), ...(config.agents?.list ?? []).flatMap(({ model }) => chosen(model))]
  const allowed = Object.entries(defaults?.models ?? {})
  for (const [id, { alias }] of allowed) if (alias !== undefined) labels.set(id, alias)
  const declared = Object.entries(config.models?.providers ?? {}).flatMap(([provider, { models }]) =>
    (models ?? []).map(({ id, name }) => {
      if (name !== undefined) labels.set(`${provider}/${id}`, name)
      return `${provider}/${id}`
    })
  )
  return { ids: [...inUse, ...(allowed.length > 0 ? allowed.map(([id]) => id) : declared)], labels }
}

/** A name's full ids: it may be a whole provider, an alias, or an id without its provider. */
const resolve = (
  name: string,
  catalogue: ReadonlyArray<CatalogueRow>,
  labels: ReadonlyMap<string, string>
): ReadonlyArray<string> => {
  if (name.endsWith("/*")) return catalogue.filter((row) => `${row.provider}/*` === name).map(idOf)
  if (name.includes("/")) return [name]
  const aliased = [...labels].find(([, label]) => label === name)?.[0]
  if (aliased !== undefined) return [aliased]
  return catalogue.filter((row) => row.id === name).map(idOf)
}

/**
 * The models to offer: all configured or allow-listed ones, whether or not they're currently
 * available; if there are none, all available models in the catalogue.
 */
export const offeredModels = (catalogue: ReadonlyArray<CatalogueRow>, config: ModelConfig): ReadonlyArray<Model> => {
  const { ids, labels } = namedIn(config)
  const rows = new Map(catalogue.map((row) => [idOf(row), row]))
  const tagged = catalogue.filter((row) => (row.tags ?? []).length > 0).map(idOf)
  const configured = new Set([...ids.flatMap((name) => resolve(name, catalogue, labels)), ...tagged])
  const offered =
    configured.size > 0 ? [...configured] : [...rows.keys()].filter((id) => rows.get(id)?.available !== false)
  return offered.map((id) => ({
    id,
    label: rows.get(id)?.name ?? labels.get(id) ?? id.slice(id.indexOf("/") + 1),
    provider: providerOf(id)
  }))
}

/**
 * Whether a name means a model the gateway has: a full id, an id without its provider as the gateway resolves it, or an
 * alias; case doesn't matter.
 */
export const hasModel = (name: string, catalogue: ReadonlyArray<CatalogueRow>, config: ModelConfig): boolean => {
  const { ids, labels } = namedIn(config)
  const listed = catalogue.flatMap((row) => [idOf(row), row.id])
  const known = new Set([...ids, ...labels.values(), ...listed].map((one) => one.toLowerCase()))
  const wanted = name.toLowerCase()
  return known.has(wanted) || known.has(`${providerOf(wanted)}/*`)
}

/** Rows of the command-line tool as models, each id once. */
export const cliModels = (rows: ReadonlyArray<CliRow>): ReadonlyArray<Model> =>
  [...new Map(rows.map((row) => [row.key, row])).values()].map(({ key, name }) => ({
    id: key,
    label: name ?? key.slice(key.indexOf("/") + 1),
    provider: providerOf(key)
  }))

/** Whether a model is available according to the command-line tool. */
export const isUsable = ({ available, missing }: CliRow): boolean => available !== false && missing !== true
