/** The id of the gateway of the settings. */
const PRIMARY = "primary"

/**
 * A session's key among those of all gateways: a session of the primary one keeps its own, one of an added gateway is
 * `@<gateway>/<key>`. Two gateways may well have the same keys.
 */
export const qualifiedKey = (gatewayId: string, key: string): string =>
  gatewayId === PRIMARY ? key : `@${gatewayId}/${key}`
