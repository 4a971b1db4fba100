import type { Model } from "../../../../src/contract/schema/session.ts"

/** A line of the list of models; without an id, what the gateway chooses. */
export interface ModelOption {
  readonly id: string | null
  readonly label: string
  /** Its id where the label doesn't say it. */
  readonly hint: string
}

/** The models of one provider. */
export interface ModelGroup {
  readonly provider: string
  readonly options: ReadonlyArray<ModelOption>
}

const nameOf = (id: string): string => id.slice(id.indexOf("/") + 1)

const optionOf = ({ id, label }: Model): ModelOption => {
  const isId = label === id
  return { id, label: isId ? nameOf(id) : label, hint: isId || label === nameOf(id) ? "" : nameOf(id) }
}

/** The models with all words of a query in their name, by provider and in the gateway's order. */
export function modelGroups(models: ReadonlyArray<Model>, query: string): ReadonlyArray<ModelGroup> {
  const words = query.toLowerCase().split(/\s+/)
  const found = models.filter(({ id, label, provider }) => {
    const text = `${provider} ${id} ${label}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const byProvider = Map.groupBy(found, ({ id, provider }) => (provider === "" ? (id.split("/")[0] ?? "") : provider))
  return [...byProvider].map(([provider, all]) => ({ provider, options: all.map(optionOf) }))
}
