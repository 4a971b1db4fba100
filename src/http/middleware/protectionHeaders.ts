import type { HeaderRecord } from "../../node/missingHeaders.ts"
import type { SettingsShape } from "../../services/platform/settings/Settings.ts"
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts"

/** A year each; browsers apply it to all ports of a host name, whoever listens there. */
const STRICT_TRANSPORT: Readonly<Record<SettingsShape["hsts"], HeaderRecord>> = {
  subdomains: { "strict-transport-security": "max-age=31536000; includeSubDomains" },
  host: { "strict-transport-security": "max-age=31536000" },
  off: {}
}

/** The security headers of every response. */
export const protectionHeaders = (settings: Pick<SettingsShape, "cspConnectExtra" | "hsts">): HeaderRecord => ({
  "content-security-policy": contentSecurityPolicy(settings.cspConnectExtra),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-xss-protection": "1; mode=block",
  ...STRICT_TRANSPORT[settings.hsts],
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store"
})
