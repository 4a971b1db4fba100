import type { CatalogueRow, CliRow, Model, ModelChoice, ModelConfig } from "./modelSchemas.ts"

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

/** Full ids of one name: a whole provider, an alias, or an id that lacks its provider may stand for others. */
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
 * The models to offer (SPEC "Gateway operations"): all that are configured or allow-listed, whether they can be used at
 * present or not; when there are none, every model of the catalogue that can be used.
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

/** Rows of the command-line tool as models, each id once. */
export const cliModels = (rows: ReadonlyArray<CliRow>): ReadonlyArray<Model> =>
  [...new Map(rows.map((row) => [row.key, row])).values()].map(({ key, name }) => ({
    id: key,
    label: name ?? key.slice(key.indexOf("/") + 1),
    provider: providerOf(key)
  }))

/** Whether the command-line tool says that a model can be used. */
export const isUsable = ({ available, missing }: CliRow): boolean => available !== false && missing !== true
