import { say } from "../../core/language/say.ts"
import { Icon } from "../Icon.tsx"

/** Opens the numbers behind a chart. */
export const DataSummary = () => (
  <summary>
    <Icon name="chevron-right" />
    <span>{say("Data")}</span>
  </summary>
)
