import { assert, describe, it } from "@effect/vitest"
import { marketChartUrl, marketPageUrl } from "../../src/ui/charts/marketUrls.ts"

describe("addresses of market charts", () => {
  it("stay on the allowed hosts, whatever the symbol", () => {
    for (const symbol of ["NASDAQ:AAPL", "https://evil.example", '"><script>', "../../x?y=z&interval=1#", ""]) {
      const url = new URL(marketChartUrl(symbol, "W"))
      assert.strictEqual(url.origin + url.pathname, "https://s.tradingview.com/widgetembed/")
      assert.strictEqual(url.searchParams.get("interval"), "W")
      assert.notMatch(url.searchParams.get("symbol") ?? "", /[<>"?#&=\s]/)
      assert.strictEqual(new URL(marketPageUrl(symbol)).host, "www.tradingview.com")
    }
    assert.include(marketChartUrl("NASDAQ:AAPL", "D"), "symbol=NASDAQ%3AAAPL")
  })
})
