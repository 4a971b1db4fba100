/** Where this browser keeps which of the console's devices it is, while it gets notifications. */
export const PUSH_DEVICE = "agent-console:push-device"

/** Where it keeps the address that the console was last told of; browsers change theirs. */
export const PUSH_ADDRESS = "agent-console:push-address"
