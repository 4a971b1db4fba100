import { component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"

export interface ChoiceOption {
  readonly value: string
  readonly label: string
}

interface ChoiceProps {
  readonly id: string
  readonly value: string
  readonly options: ReadonlyArray<ChoiceOption>
  /** For when no visible label names it. */
  readonly label?: string
  readonly disabled?: boolean
  readonly onChange$: QRL<(value: string) => unknown>
}

/** A select that always shows the given value, even if the options arrive later or a choice was rejected. */
export const Choice = component$<ChoiceProps>((props) => {
  const select = useSignal<HTMLSelectElement>()
  const known = props.options.some(({ value }) => value === props.value)
  useVisibleTask$(
    ({ track }) => {
      const value = track(() => props.value)
      track(() => props.options)
      if (select.value !== undefined && select.value.value !== value) select.value.value = value
    },
    { strategy: "document-ready" }
  )
  return (
    <select
      ref={select}
      id={props.id}
      class="field"
      aria-label={props.label}
      disabled={props.disabled === true}
      onChange$={async (_, element) => {
        const chosen = element.value
        element.value = props.value
        await props.onChange$(chosen)
      }}
    >
      {!known && (
        <option key="unknown" value={props.value}>
          {props.value}
        </option>
      )}
      {props.options.map(({ value, label }) => (
        <option key={value} value={value} selected={value === props.value}>
          {label}
        </option>
      ))}
    </select>
  )
})
