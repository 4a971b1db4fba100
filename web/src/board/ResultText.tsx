import { component$ } from "@builder.io/qwik"
import { type MarkedPart, parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { ChartFigure } from "../ui/charts/ChartFigure.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"

const ResultPart = component$<{ readonly part: MarkedPart }>((props) =>
  props.part.kind === "chart" ? (
    <ChartFigure chart={props.part.chart} />
  ) : (
    <MarkdownText text={props.part.text} streaming={false} />
  )
)

/** An agent's result: formatted text and charts. */
export const ResultText = component$<{ readonly text: string }>((props) => (
  <div class="task-result">
    {parseMarkers(markUnseen(props.text, "prose")).parts.map((part, index) => (
      <ResultPart key={`${part.kind}-${index}`} part={part} />
    ))}
  </div>
))
