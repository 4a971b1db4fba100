import { Schema, SchemaGetter } from "effect"

/** US dollars per million tokens, from the gateway's settings. */
const Cost = Schema.Struct({
  input: Schema.Finite,
  output: Schema.Finite,
  cacheRead: Schema.optionalKey(Schema.Finite),
  cacheWrite: Schema.optionalKey(Schema.Finite)
})

const Model = Schema.Struct({ id: Schema.String, cost: Schema.optionalKey(Cost) })

/** One model's prices. */
export interface ModelRates {
  readonly provider: string
  readonly model: string
  readonly cost: typeof Cost.Type
}

const Rates = Schema.Array(Schema.Struct({ provider: Schema.String, model: Schema.String, cost: Cost }))
const onlyRead = SchemaGetter.forbidden<never, unknown>(() => "rates are only read")

/** The prices in a `config.get` response. */
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

/** The prices in a `models.list` response, if any. */
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
