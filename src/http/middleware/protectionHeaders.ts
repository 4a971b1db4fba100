import type { HeaderRecord } from "../../node/missingHeaders.ts"
import type { SettingsShape } from "../../services/platform/settings/Settings.ts"
import { packageInfo } from "../../services/platform/version/packageInfo.ts"

const CHART_SCRIPTS = "https://s3.tradingview.com"
const CHART_FRAMES = ["https://s.tradingview.com", "https://www.tradingview.com", "https://www.tradingview-widget.com"]
const FONT_STYLES = "https://fonts.googleapis.com"
const FONT_FILES = "https://fonts.gstatic.com"

const LOCAL_CONNECTIONS = ["http", "https", "ws", "wss"].flatMap((scheme) => [
  `${scheme}://localhost:*`,
  `${scheme}://127.0.0.1:*`
])

/** The Content-Security-Policy of every response. */
const contentSecurityPolicy = (connectExtra: ReadonlyArray<string>): string =>
  [
    ["default-src", "'self'"],
    ["script-src", "'self'", CHART_SCRIPTS],
    ["style-src", "'self'", "'unsafe-inline'", FONT_STYLES],
    ["font-src", "'self'", FONT_FILES],
    ["connect-src", "'self'", ...LOCAL_CONNECTIONS, ...connectExtra],
    ["img-src", "'self'", "data:", "blob:"],
    ["media-src", "'self'", "blob:"],
    ["frame-src", ...CHART_FRAMES],
    ["frame-ancestors", "'none'"],
    ["base-uri", "'self'"],
    ["form-action", "'self'"]
  ]
    .map((directive) => directive.join(" "))
    .join("; ")

/** A year each; browsers apply it to all ports of a host name, also to other programs' ports. */
const STRICT_TRANSPORT: Readonly<Record<SettingsShape["hsts"], HeaderRecord>> = {
  subdomains: { "strict-transport-security": "max-age=31536000; includeSubDomains" },
  host: { "strict-transport-security": "max-age=31536000" },
  off: {}
}

/** Shows a page of another build that it's out of date: page and server share the types of answers, not their checks. */
const buildHeader = (build: string): HeaderRecord => (build === "" ? {} : { "x-console-build": build })

/** The headers of every response: for its security, and which build it's from. */
export const protectionHeaders = (
  settings: Pick<SettingsShape, "cspConnectExtra" | "hsts">,
  build: string = packageInfo.build
): HeaderRecord => ({
  ...buildHeader(build),
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

/** API responses are never cached unless their route says otherwise, and no other site's page may embed them. */
export const API_CACHING: HeaderRecord = {
  "cache-control": "no-cache, no-store",
  "cross-origin-resource-policy": "same-origin"
}
