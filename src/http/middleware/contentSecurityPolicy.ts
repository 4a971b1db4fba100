const CHART_SCRIPTS = "https://s3.tradingview.com"
const CHART_FRAMES = ["https://s.tradingview.com", "https://www.tradingview.com", "https://www.tradingview-widget.com"]
const FONT_STYLES = "https://fonts.googleapis.com"
const FONT_FILES = "https://fonts.gstatic.com"

const LOCAL_CONNECTIONS = ["http", "https", "ws", "wss"].flatMap((scheme) => [
  `${scheme}://localhost:*`,
  `${scheme}://127.0.0.1:*`
])

/** The Content-Security-Policy of every response. */
export const contentSecurityPolicy = (connectExtra: ReadonlyArray<string>): string =>
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
