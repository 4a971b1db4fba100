import { component$ } from "@builder.io/qwik"
import { Axes } from "./Axes.tsx"
import { barWidth, PLOT, valueAxis, xOf, yOf } from "./chartGeometry.ts"

interface CandlePlotProps {
  readonly labels: ReadonlyArray<string>
  readonly candles: ReadonlyArray<{
    readonly open: number
    readonly high: number
    readonly low: number
    readonly close: number
  }>
}

/** Open, high, low and close per label; rising candles are hollow, falling ones filled. */
export const CandlePlot = component$<CandlePlotProps>((props) => {
  const axis = valueAxis(
    props.candles.flatMap((candle) => [candle.low, candle.high]),
    false
  )
  const count = props.candles.length
  const width = Math.min(18, barWidth(count))
  return (
    <svg class="plot" viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} aria-hidden="true">
      <Axes axis={axis} labels={props.labels} places="band" />
      {props.candles.map((candle, index) => {
        const x = xOf(index, count, "band")
        const top = yOf(axis, Math.max(candle.open, candle.close))
        const bottom = yOf(axis, Math.min(candle.open, candle.close))
        return (
          <g key={`candle-${index}`} class={candle.close >= candle.open ? "candle is-rising" : "candle is-falling"}>
            <line x1={x} x2={x} y1={yOf(axis, candle.high)} y2={yOf(axis, candle.low)} />
            <rect x={x - width / 2} y={top} width={width} height={Math.max(1, bottom - top)} rx="1" />
          </g>
        )
      })}
    </svg>
  )
})
