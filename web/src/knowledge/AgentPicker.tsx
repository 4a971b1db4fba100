import { component$, type QRL } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { Select } from "../ui/Select.tsx"

interface AgentPickerProps {
  readonly options: ReadonlyArray<{ readonly id: string; readonly label: string }>
  /** Id of the agent shown; empty while it is not known. */
  readonly current: string
  readonly onChoose$: QRL<(id: string) => void>
}

/** Chooses whose knowledge is shown. */
export const AgentPicker = component$<AgentPickerProps>((props) => (
  <div class="agent-picker">
    <label class="visually-hidden" for="knowledge-agent">
      {say("Agent")}
    </label>
    <Icon name="bot" />
    <Select
      id="knowledge-agent"
      value={props.current}
      options={props.options.map(({ id, label }) => ({ value: id, label }))}
      onChange$={(id) => props.onChoose$(id)}
    />
  </div>
))
