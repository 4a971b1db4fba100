import { component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"

export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

interface SelectProps {
  readonly id: string
  readonly value: string
  readonly options: ReadonlyArray<SelectOption>
  /** For when no visible label names it. */
  readonly label?: string
  readonly disabled?: boolean
  /** The id of what explains it. */
  readonly describedBy?: string
  readonly invalid?: boolean
  /** Besides `field`. */
  readonly class?: string
  readonly onChange$: QRL<(value: string) => unknown>
}

/** A select that always shows the given value, even if the options arrive later or a choice was rejected. */
export const Select = component$<SelectProps>((props) => {
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
      class={["field", props.class]}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid === true ? "true" : undefined}
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
      {props.options.map(({ value, label, disabled }) => (
        <option key={value} value={value} selected={value === props.value} disabled={disabled === true}>
          {label}
        </option>
      ))}
    </select>
  )
})
