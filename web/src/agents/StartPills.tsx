import { component$, type QRL, Slot, useConstant, useSignal } from "@builder.io/qwik"
import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import type { Model } from "../../../src/contract/schema/session.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { agentIn, agentsOf } from "../core/agents/agentList.ts"
import { markOf } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { readModels } from "../core/sessions/sessionChoices.ts"
import { AgentFace } from "../ui/AgentFace.tsx"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Select, type SelectOption } from "../ui/Select.tsx"

interface PillProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<SelectOption>
  /** Absent where it can't be changed. */
  readonly onChange$?: QRL<(value: string) => unknown> | undefined
}

/** A choice as a pill, after the mark in the slot; what leaves no choice is only said. */
const Pill = component$<PillProps>((props) => {
  const { id, label, options, value, onChange$ } = props
  const shown = options.find((option) => option.value === value)?.label ?? value
  const isFixed = onChange$ === undefined || (options.length < 2 && options[0]?.value === value)
  return (
    <span class={["pill start-pill", !isFixed && "is-choice"]} title={`${label}: ${shown}`}>
      <Slot />
      {isFixed ? (
        <>
          <span class="visually-hidden">{`${label}:`}</span>
          <span class="truncate">{shown}</span>
        </>
      ) : (
        <>
          <span class="truncate" aria-hidden="true">
            {shown}
          </span>
          <Icon name="chevron-right" />
          <Select id={id} label={label} value={value} options={options} onChange$={onChange$} />
        </>
      )}
    </span>
  )
})

interface AgentPillProps {
  readonly id: string
  readonly label: string
  readonly gatewayId: string
  readonly value: string
  /** Before the ids of agents in values. */
  readonly prefix: string
  /** Choices besides the gateway's agents, before and after them. */
  readonly before: ReadonlyArray<SelectOption>
  readonly after: ReadonlyArray<SelectOption>
  readonly onChange$?: QRL<(value: string) => unknown> | undefined
}

/** Which agent. The gateway never changes during the component's life. */
const AgentPill = component$<AgentPillProps>((props) => {
  const { client } = useServices()
  const agents = useReadable(useConstant(() => agentsOf(client, props.gatewayId)))
  const { after, before, id, label, prefix } = props
  const isDefault = props.value === "" && before.length === 0
  const value = isDefault ? `${prefix}${agents.value[0]?.id ?? ""}` : props.value
  const own = agents.value.map((agent) => ({ value: `${prefix}${agent.id}`, label: agent.name }))
  const isOwn = (option: SelectOption) => own.some((agent) => agent.value === option.value)
  const options = [...before, ...own, ...after.filter((option) => !isOwn(option))]
  const isAgent = value !== prefix && value.startsWith(prefix) && before.every((option) => option.value !== value)
  return (
    <Pill id={id} label={label} value={value} options={options} onChange$={props.onChange$}>
      {isAgent && <AgentFace agent={agentIn(agents.value, value.slice(prefix.length))} />}
    </Pill>
  )
})

interface ModelPillProps {
  readonly id: string
  readonly gatewayId: string
  readonly value: string
  /** What stands for no model of its own. */
  readonly none: string
  readonly onChange$: QRL<(value: string) => unknown>
}

/** Which model. The gateway never changes during the component's life. */
const ModelPill = component$<ModelPillProps>((props) => {
  const { client } = useServices()
  const models = useSignal<ReadonlyArray<Model>>([])
  useBrowserTask$(async () => {
    // The client of one gateway adds its id by itself.
    const isOwn = client.gatewayId !== undefined || props.gatewayId === PRIMARY
    const answer = await readModels(client.api, isOwn ? undefined : props.gatewayId)
    if (answer.ok) models.value = answer.value
  })
  const { id, none, value, onChange$ } = props
  const options = [
    { value: "", label: none },
    ...models.value.map((model) => ({
      value: model.id,
      label: model.label === model.id ? model.id : `${model.label} (${model.id})`
    }))
  ]
  return <Pill id={id} label={say("Model")} value={value} options={options} onChange$={onChange$} />
})

const NONE: ReadonlyArray<SelectOption> = []

interface StartPillsProps {
  /** Before the ids of the choices. */
  readonly id: string
  readonly gatewayId: string
  readonly onGateway$?: QRL<(id: string) => unknown> | undefined
  /** Empty for the gateway's default agent. */
  readonly agent: string
  readonly agentLabel?: string
  readonly agentPrefix?: string
  readonly agentsBefore?: ReadonlyArray<SelectOption>
  readonly agentsAfter?: ReadonlyArray<SelectOption>
  readonly onAgent$?: QRL<(agent: string) => unknown> | undefined
  /** Absent where the slot holds the choice of a model, or there is none. */
  readonly model?: { readonly value: string; readonly none: string } | undefined
  readonly onModel$?: QRL<(model: string) => unknown>
}

/** Who begins to work, where and with which model: the same for a session, a job and a card. */
export const StartPills = component$<StartPillsProps>((props) => {
  const gateways = useReadable(useServices().client.gateways).value ?? []
  const { gatewayId, id, model, onModel$ } = props
  const chosenModel = model?.value ?? ""
  const noModel = model?.none ?? ""
  const mark = markOf(gateways, gatewayId)
  const agentKey = `agent ${gatewayId}`
  const modelKey = `model ${gatewayId}`
  return (
    <div class="flex wrap gap-2 start-pills">
      <AgentPill
        key={agentKey}
        id={`${id}-agent`}
        label={props.agentLabel ?? say("Agent")}
        gatewayId={gatewayId}
        value={props.agent}
        prefix={props.agentPrefix ?? ""}
        before={props.agentsBefore ?? NONE}
        after={props.agentsAfter ?? NONE}
        onChange$={props.onAgent$}
      />
      {gateways.length > 1 && (
        <Pill
          id={`${id}-gateway`}
          label={say("Gateway")}
          value={gatewayId}
          options={gateways.map((gateway) => ({ value: gateway.id, label: gateway.name }))}
          onChange$={props.onGateway$}
        >
          {mark !== null && <GatewayMark mark={mark} />}
        </Pill>
      )}
      {model !== undefined && onModel$ !== undefined && (
        <ModelPill
          key={modelKey}
          id={`${id}-model`}
          gatewayId={gatewayId}
          value={chosenModel}
          none={noModel}
          onChange$={onModel$}
        />
      )}
      <Slot />
    </div>
  )
})
