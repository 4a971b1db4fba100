import { Schema } from "effect"
import { Why } from "../../../contract/schema/failure.ts"

/** One of the console's gateways; its token stays on the server. */
export const GatewayEntry = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** HTTP origin. */
  url: Schema.String,
  /** The one of the settings file, which can't be changed or removed here. */
  primary: Schema.Boolean,
  /** On the console's own machine. */
  local: Schema.Boolean,
  state: Schema.Literals(["ok", "connecting", "unreachable", "refused"]),
  /** Epoch milliseconds since when the link works, or doesn't. */
  since: Schema.Finite,
  /** One sentence for people; absent while everything works. */
  reason: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why),
  version: Schema.optionalKey(Schema.String),
  /** Generation of the wire protocol, 3 or 4. */
  protocol: Schema.optionalKey(Schema.Finite),
  device: Schema.Literals(["approved", "pending", "refused", "unknown"]),
  /** The approval request the device waits for. */
  requestId: Schema.optionalKey(Schema.String)
})
export type GatewayEntry = typeof GatewayEntry.Type
