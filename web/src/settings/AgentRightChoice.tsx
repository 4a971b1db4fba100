import { component$, type QRL } from "@builder.io/qwik"
import { AGENT_RIGHTS, type AgentRight } from "../../../src/contract/agentRights.ts"
import { RIGHT_TEXTS } from "../core/agents/agentTokenTypes.ts"

interface AgentRightChoiceProps {
  readonly legend: string
  readonly rights: ReadonlyArray<AgentRight>
  readonly onChange$: QRL<(rights: ReadonlyArray<AgentRight>) => void>
}

/** What an agent may do. */
export const AgentRightChoice = component$<AgentRightChoiceProps>((props) => (
  <fieldset class="choice">
    <legend>{props.legend}</legend>
    <div class="choice-options">
      {AGENT_RIGHTS.map((right) => (
        <label key={right} class="choice-option">
          <input
            type="checkbox"
            checked={props.rights.includes(right)}
            onChange$={(_, element) => {
              const others = props.rights.filter((known) => known !== right)
              return props.onChange$(element.checked ? [...others, right] : others)
            }}
          />
          <span class="agent-right">
            <span>{RIGHT_TEXTS[right].label}</span>
            <span class="field-hint">{RIGHT_TEXTS[right].hint}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
))
