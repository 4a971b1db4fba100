/** Only letters, digits and the signs that symbols of exchanges have. */
const clean = (symbol: string): string => symbol.replace(/[^\p{L}\p{N}:._!/-]/gu, "").slice(0, 60)

/** The frame of a market chart, on a host the page's policy allows. */
export const marketChartUrl = (symbol: string, interval: string): string =>
  `https://s.tradingview.com/widgetembed/?${new URLSearchParams({
    symbol: clean(symbol),
    interval,
    theme: "light",
    style: "1",
    hidesidetoolbar: "1"
  })}`

/** The page of a symbol, for where the frame cannot be shown. */
export const marketPageUrl = (symbol: string): string =>
  `https://www.tradingview.com/chart/?${new URLSearchParams({ symbol: clean(symbol) })}`
