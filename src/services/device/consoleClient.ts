/**
 * What the console says about itself in every handshake it signs. The gateway pins `platform` and `deviceFamily` when
 * it pairs the device and refuses it for ever after when one changes, so they are constants, the same for every browser,
 * machine and release (D32). Both are already trimmed lower case, as the signature wants them.
 */
export const CONSOLE_CLIENT = { platform: "agent-console", deviceFamily: "server" } as const

/** Protocol generations of the gateway that the console speaks (D32). */
export const PROTOCOL_RANGE = { min: 3, max: 4 } as const
