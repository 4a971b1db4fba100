import { Schema, SchemaGetter } from "effect"
import type { SqlConnection } from "../sqlite/Sqlite.ts"
import { NANO } from "./UsageRow.ts"

/** US dollars for a million tokens, as the gateway's settings have them. */
const Cost = Schema.Struct({
  input: Schema.Finite,
  output: Schema.Finite,
  cacheRead: Schema.optionalKey(Schema.Finite),
  cacheWrite: Schema.optionalKey(Schema.Finite)
})

const Model = Schema.Struct({ id: Schema.String, cost: Schema.optionalKey(Cost) })

/** What one model costs. */
export interface ModelRates {
  readonly provider: string
  readonly model: string
  readonly cost: typeof Cost.Type
}

const Rates = Schema.Array(Schema.Struct({ provider: Schema.String, model: Schema.String, cost: Cost }))
const onlyRead = SchemaGetter.forbidden<never, unknown>(() => "rates are only read")

/** The costs in the answer of `config.get`. */
export const ModelSettings = Schema.Struct({
  config: Schema.Struct({
    models: Schema.optionalKey(
      Schema.Struct({
        providers: Schema.optionalKey(
          Schema.Record(Schema.String, Schema.Struct({ models: Schema.optionalKey(Schema.Array(Model)) }))
        )
      })
    )
  })
}).pipe(
  Schema.decodeTo(Rates, {
    decode: SchemaGetter.transform(({ config }) =>
      Object.entries(config.models?.providers ?? {}).flatMap(([provider, { models = [] }]) =>
        models.flatMap(({ id, cost }) => (cost === undefined ? [] : [{ provider, model: id, cost }]))
      )
    ),
    encode: onlyRead
  })
)

/** The costs in the answer of `models.list`, where it tells any. */
export const ModelCatalogue = Schema.Struct({
  models: Schema.Array(Schema.Struct({ ...Model.fields, provider: Schema.String }))
}).pipe(
  Schema.decodeTo(Rates, {
    decode: SchemaGetter.transform(({ models }) =>
      models.flatMap(({ id, provider, cost }) => (cost === undefined ? [] : [{ provider, model: id, cost }]))
    ),
    encode: onlyRead
  })
)

/** Whether there are answers whose cost nobody told and whose model has no rates yet. */
export const needsRates = (db: SqlConnection): boolean =>
  db.get(
    `SELECT 1 AS found FROM kept_usage u LEFT JOIN rates r ON r.provider = u.provider AND r.model = u.model
     WHERE u.priced = 0 AND r.model IS NULL LIMIT 1`
  ) !== undefined

const SAVE = `
  INSERT INTO rates (provider, model, input, output, cache_read, cache_write) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (provider, model) DO UPDATE SET input = excluded.input, output = excluded.output,
    cache_read = excluded.cache_read, cache_write = excluded.cache_write`

const nanoPerToken = (dollarsPerMillion: number): number => (Math.max(0, dollarsPerMillion) * NANO) / 1_000_000

/** Keeps rates, so that costs stay known while the gateway is away. */
export const saveRates = (db: SqlConnection, models: ReadonlyArray<ModelRates>): void => {
  for (const { provider, model, cost } of models) {
    const { input, output, cacheRead = 0, cacheWrite = 0 } = cost
    db.run(SAVE, provider, model, ...[input, output, cacheRead, cacheWrite].map(nanoPerToken))
  }
}
