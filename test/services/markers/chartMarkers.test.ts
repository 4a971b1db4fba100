import { assert, describe, it } from "@effect/vitest"
import { chartMarkers } from "../../../src/services/markers/chartMarkers.ts"

const charts = (json: unknown) => chartMarkers(`a [chart:${JSON.stringify(json)}] b`).charts

describe("chart markers", () => {
  it("hold one chart of each type SPEC names", () => {
    const labels = ["Mon", "Tue"]
    const candles = [{ open: 1, high: 2, low: 0, close: 1 }]
    assert.deepStrictEqual(charts({ type: "tv", symbol: "X:Y" }), [{ type: "tv", symbol: "X:Y", interval: "W" }])
    assert.deepStrictEqual(charts({ type: "tv", symbol: "X", interval: "15" }), [
      { type: "tv", symbol: "X", interval: "15" }
    ])
    assert.deepStrictEqual(charts({ type: "line", title: "T", data: { labels, values: [1, 2] } }), [
      { type: "line", labels, series: [{ name: "", values: [1, 2] }], title: "T" }
    ])
    assert.deepStrictEqual(charts({ type: "area", data: { labels, series: [{ name: "s", values: [1, 2] }] } }), [
      { type: "area", labels, series: [{ name: "s", values: [1, 2] }] }
    ])
    assert.deepStrictEqual(charts({ type: "candle", data: { labels, candles } }), [{ type: "candle", labels, candles }])
    assert.deepStrictEqual(charts({ type: "pie", data: { labels, values: [1, 2] } }), [
      { type: "pie", labels, values: [1, 2] }
    ])
  })

  it("without a required part stay as text", () => {
    const bad = [
      {},
      { type: "tv" },
      { type: "tv", symbol: " " },
      { type: "bar", data: { labels: ["a"] } },
      { type: "bar", data: { values: [1] } },
      { type: "line", data: { labels: ["a"], values: ["1"] } },
      { type: "candle", data: { labels: ["a"], candles: [{ open: 1 }] } },
      { type: "radar", data: { labels: ["a"], values: [1] } }
    ]
    for (const json of bad) {
      const text = `[chart:${JSON.stringify(json)}]`
      assert.deepStrictEqual(chartMarkers(text), { charts: [], text })
    }
  })

  it("balance braces and brackets outside strings only", () => {
    const title = '} ] [chart: \\" 🎉'
    const found = chartMarkers(`x [chart: {"type":"tv","symbol":"S","title":${JSON.stringify(title)}} ]\r\ny`)
    assert.deepStrictEqual(found, { charts: [{ type: "tv", symbol: "S", interval: "W", title }], text: "x \r\ny" })
  })

  it("keep the work linear on hostile text", () => {
    for (const unit of ["[chart:", "[chart:{", '[chart:{"', "[chart:{}]"]) {
      const text = unit.repeat(150_000)
      for (let turn = 0; turn < 3; turn += 1) chartMarkers(text)
    }
    assert.deepStrictEqual(chartMarkers("[chart:{]").charts, [])
  })
})
