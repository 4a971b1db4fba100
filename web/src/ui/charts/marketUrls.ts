/** Only letters, digits and the characters used in exchange symbols. */
const clean = (symbol: string): string => symbol.replace(/[^\p{L}\p{N}:._!/-]/gu, "").slice(0, 60)

/** The market chart's frame, on a host the page's policy allows. */
export const marketChartUrl = (symbol: string, interval: string): string =>
  `https://s.tradingview.com/widgetembed/?${new URLSearchParams({
    symbol: clean(symbol),
    interval,
    theme: "light",
    style: "1",
    hidesidetoolbar: "1"
  })}`

/** A symbol's page, for when the frame can't be shown. */
export const marketPageUrl = (symbol: string): string =>
  `https://www.tradingview.com/chart/?${new URLSearchParams({ symbol: clean(symbol) })}`
