import type { HeaderRecord } from "../../node/answerHead.ts"
import type { SettingsShape } from "../../services/platform/settings/Settings.ts"
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts"

/** The security headers of every response. */
export const protectionHeaders = (settings: Pick<SettingsShape, "cspConnectExtra">): HeaderRecord => ({
  "content-security-policy": contentSecurityPolicy(settings.cspConnectExtra),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-xss-protection": "1; mode=block",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store"
})
