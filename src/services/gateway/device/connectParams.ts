import { Schema } from "effect"

const Rest = [Schema.Record(Schema.String, Schema.Unknown)] as const

/**
 * Parameters of the gateway's `connect` method. Only the fields the console reads or changes are described; all others
 * are kept as they came.
 */
export const ConnectParams = Schema.StructWithRest(
  Schema.Struct({
    minProtocol: Schema.optionalKey(Schema.Finite),
    maxProtocol: Schema.optionalKey(Schema.Finite),
    client: Schema.StructWithRest(Schema.Struct({ id: Schema.String, mode: Schema.String }), Rest),
    role: Schema.optionalKey(Schema.String),
    scopes: Schema.optionalKey(Schema.Array(Schema.String)),
    auth: Schema.optionalKey(Schema.Unknown),
    device: Schema.optionalKey(Schema.Unknown)
  }),
  Rest
)

export type ConnectParams = typeof ConnectParams.Type

/** The request frame that carries them, always the first a client sends. */
export const ConnectRequest = Schema.Struct({
  type: Schema.Literal("req"),
  id: Schema.String,
  method: Schema.Literal("connect"),
  params: ConnectParams
})

export type ConnectRequest = typeof ConnectRequest.Type
