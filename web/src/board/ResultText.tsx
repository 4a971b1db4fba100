import { component$ } from "@builder.io/qwik"
import { type MarkedPart, parseMarkers } from "../../../src/services/markers/parseMarkers.ts"
import { ChartFigure } from "../chat/charts/ChartFigure.tsx"
import { MarkdownText } from "../chat/MarkdownText.tsx"

const ResultPart = component$<{ readonly part: MarkedPart }>((props) =>
  props.part.kind === "chart" ? (
    <ChartFigure chart={props.part.chart} />
  ) : (
    <MarkdownText text={props.part.text} streaming={false} />
  )
)

/** What an agent handed in: formatted text and charts. */
export const ResultText = component$<{ readonly text: string }>((props) => (
  <div class="task-result">
    {parseMarkers(props.text).parts.map((part, index) => (
      <ResultPart key={`${part.kind}-${index}`} part={part} />
    ))}
  </div>
))
