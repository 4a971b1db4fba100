import { component$, useSignal } from "@builder.io/qwik"
import type { Chart } from "../../../../src/contract/markers/chart.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { say } from "../../core/language/say.ts"
import { Icon } from "../Icon.tsx"
import { marketChartUrl, marketPageUrl } from "./marketUrls.ts"

/** Milliseconds after which a chart that hasn't loaded counts as blocked. */
const PATIENCE_MS = 12_000

type Market = Extract<Chart, { readonly type: "tv" }>

/** A chart from another site: nothing is loaded from it until a person asks. */
export const MarketChart = component$<{ readonly chart: Market }>((props) => {
  const { symbol, interval, title } = props.chart
  const state = useSignal<"asked" | "closed" | "here" | "blocked">("closed")
  const frame = useSignal<HTMLIFrameElement>()
  const url = marketChartUrl(symbol, interval)

  useBrowserTask$(({ track, cleanup }) => {
    const element = track(frame)
    if (element === undefined) return
    const settle = (next: "here" | "blocked") => {
      if (state.value === "asked") state.value = next
    }
    const onLoad = () => settle("here")
    element.addEventListener("load", onLoad)
    const timer = setTimeout(() => settle("blocked"), PATIENCE_MS)
    cleanup(() => {
      element.removeEventListener("load", onLoad)
      clearTimeout(timer)
    })
  })

  return (
    <figure class="chart market">
      <figcaption>
        <Icon name="chart" />
        <span>{title ?? symbol}</span>
        <span class="chip-label">{`${symbol} · ${interval}`}</span>
      </figcaption>
      {state.value === "closed" && (
        <div class="stack justify-start gap-2 soft small">
          <p>{say("This chart comes from tradingview.com, which will see that you viewed it.")}</p>
          <button
            type="button"
            class="button is-small"
            onClick$={() => {
              state.value = "asked"
            }}
          >
            {say("Load market chart")}
          </button>
        </div>
      )}
      {state.value === "blocked" && (
        <p role="status">
          <span>{say("Couldn't load the chart. This device may be offline, or something is blocking it.")} </span>
          <a href={marketPageUrl(symbol)} target="_blank" rel="noopener noreferrer nofollow">
            {say("Open in a new tab")}
          </a>
        </p>
      )}
      {(state.value === "asked" || state.value === "here") && (
        <iframe
          ref={frame}
          class="market-frame"
          title={say("Market chart of {symbol}", { symbol })}
          src={url}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
        />
      )}
    </figure>
  )
})
