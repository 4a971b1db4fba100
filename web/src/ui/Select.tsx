import { component$, type QRL, type Signal, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"

export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

/** What is chosen: kept in a signal, or a value whose changes are asked for. */
type Chosen =
  | { readonly chosen: Signal<string>; readonly value?: undefined; readonly onChange$?: undefined }
  | { readonly chosen?: undefined; readonly value: string; readonly onChange$: QRL<(value: string) => unknown> }

type SelectProps = Chosen & {
  readonly id: string
  readonly options: ReadonlyArray<SelectOption>
  /** For when no visible label names it. */
  readonly label?: string
  readonly disabled?: boolean
  /** The id of what explains it. */
  readonly describedBy?: string
  readonly invalid?: boolean
  /** Besides `field`. */
  readonly class?: string
}

const valueOf = (props: Chosen): string => (props.chosen === undefined ? props.value : props.chosen.value)

/** A select that always shows the given value, even if the options arrive later or a choice was rejected. */
export const Select = component$<SelectProps>((props) => {
  const select = useSignal<HTMLSelectElement>()
  const current = valueOf(props)
  const known = props.options.some(({ value }) => value === current)
  useBrowserTask$(({ track }) => {
    const value = track(() => valueOf(props))
    track(() => props.options)
    if (select.value !== undefined && select.value.value !== value) select.value.value = value
  })
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
        if (props.chosen !== undefined) {
          props.chosen.value = element.value
          return
        }
        const wanted = element.value
        element.value = props.value
        await props.onChange$(wanted)
      }}
    >
      {!known && (
        <option key="unknown" value={current}>
          {current}
        </option>
      )}
      {props.options.map(({ value, label, disabled }) => (
        <option key={value} value={value} selected={value === current} disabled={disabled === true}>
          {label}
        </option>
      ))}
    </select>
  )
})
