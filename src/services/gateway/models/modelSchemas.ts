import { Schema } from "effect"

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
export const CliRow = Schema.Struct({
  key: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  available: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  missing: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type CliRow = typeof CliRow.Type

/** Output of the command-line tool's `models list --json`. */
export const CliCatalogue = Schema.Struct({ models: Schema.Array(CliRow) })

const Choice = Schema.Union([
  Schema.String,
  Schema.Struct({
    primary: Schema.optionalKey(Schema.String),
    fallbacks: Schema.optionalKey(Schema.Array(Schema.String))
  })
])
export type ModelChoice = typeof Choice.Type

const Provider = Schema.Struct({
  models: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.optionalKey(Schema.String) }))
  )
})

/** The parts of the gateway's configuration that name models; anything else in it is left out. */
export const ModelConfig = Schema.Struct({
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
export type ModelConfig = typeof ModelConfig.Type

/** Answer to `config.get`. */
export const ConfigAnswer = Schema.Struct({ config: ModelConfig })
