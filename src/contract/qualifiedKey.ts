/** The id of the gateway of the settings. */
export const PRIMARY = "primary"

/**
 * A session's key among those of all gateways: a session of the primary one keeps its own, one of an added gateway is
 * `@<gateway>:<key>`. Two gateways may well have the same keys.
 */
export const qualifiedKey = (gatewayId: string, key: string): string =>
  gatewayId === PRIMARY ? key : `@${gatewayId}:${key}`

/** The gateway that such a key names, and the session's key there. */
export const keyParts = (qualified: string): { readonly gatewayId: string; readonly key: string } => {
  const [, gatewayId = PRIMARY, key = qualified] = /^@([a-z0-9-]+):(.+)$/s.exec(qualified) ?? []
  return { gatewayId, key }
}
