import { Schema } from "effect"

/** There's no gateway with this id. */
export class UnknownGateway extends Schema.TaggedError<UnknownGateway>()("UnknownGateway", { id: Schema.String }) {}

/** The id or the address belongs to another one already. */
export class GatewayKnown extends Schema.TaggedError<GatewayKnown>()("GatewayKnown", {
  what: Schema.Literals(["id", "address"]),
  /** Who has it. */
  name: Schema.String
}) {}

/** The primary one is set in the settings file. */
export class PrimaryGateway extends Schema.TaggedError<PrimaryGateway>()("PrimaryGateway", {}) {}

/** Another host or port needs the token in the same request: the one that's stored belongs to the old one. */
export class TokenNeeded extends Schema.TaggedError<TokenNeeded>()("TokenNeeded", {}) {}

/** There are as many as there may be. */
export class TooManyGateways extends Schema.TaggedError<TooManyGateways>()("TooManyGateways", {}) {}
