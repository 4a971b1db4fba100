/** Where this browser keeps which of the console's devices it is, while it gets notifications. */
export const PUSH_DEVICE = "agent-console:push-device"
