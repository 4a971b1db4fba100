import type { SettingsShape } from "../../services/settings/Settings.ts"
import type { HeaderRecord } from "../headers.ts"
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts"

/** The headers of SPEC "Browser protections". */
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
