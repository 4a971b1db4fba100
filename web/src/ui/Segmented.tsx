import { component$, type QRL } from "@builder.io/qwik"
import { Icon, type IconName } from "./Icon.tsx"

interface SegmentedOption {
  readonly value: string
  readonly label: string
  /** Shown instead of the label. */
  readonly icon?: IconName
}

interface SegmentedProps {
  /** What is chosen, for screen readers. */
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<SegmentedOption>
  readonly onChange$: QRL<(value: string) => unknown>
}

/** One choice out of few, all of them in sight; it applies at once. */
export const Segmented = component$<SegmentedProps>((props) => (
  <fieldset class="segmented" aria-label={props.label}>
    {props.options.map(({ value, label, icon }) => (
      <button
        key={value}
        type="button"
        {...(icon === undefined ? {} : { title: label, "aria-label": label })}
        aria-pressed={value === props.value ? "true" : "false"}
        onClick$={() => props.onChange$(value)}
      >
        {icon === undefined ? <span>{label}</span> : <Icon name={icon} />}
      </button>
    ))}
  </fieldset>
))
