import { Option, Schema } from "effect"
import { keyParts } from "../../contract/qualifiedKey.ts"
import type { EventMessage } from "../platform/events/EventHub.ts"

const Named = Schema.Struct({
  gatewayId: Schema.optional(Schema.String),
  sessionKey: Schema.optional(Schema.String),
  item: Schema.optional(Schema.Struct({ gatewayId: Schema.optional(Schema.String) })),
  entry: Schema.optional(Schema.Struct({ gatewayId: Schema.optional(Schema.String) }))
})
const decodeNamed = Schema.decodeUnknownOption(Named)
const decodeChange = Schema.decodeUnknownOption(Schema.Struct({ id: Schema.String }))

/** The gateway that an event is about; `undefined` for one that names none. */
export const eventGateway = ({ data, event }: EventMessage): string | undefined => {
  if (event === "gateway.changed") return Option.getOrUndefined(decodeChange(data))?.id
  const named = Option.getOrUndefined(decodeNamed(data))
  if (named === undefined) return undefined
  const { entry, gatewayId, item, sessionKey } = named
  return (
    gatewayId ??
    item?.gatewayId ??
    entry?.gatewayId ??
    (sessionKey === undefined ? undefined : keyParts(sessionKey).gatewayId)
  )
}
