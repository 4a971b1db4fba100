import { $, component$, type QRL, useId, useSignal } from "@builder.io/qwik"
import { INBOX_KINDS, type InboxKind } from "../../../src/contract/inbox.ts"
import { ownZone } from "../core/common/dateText.ts"
import { say } from "../core/language/say.ts"
import type { PushChoices, PushDevice } from "../core/push/pushTypes.ts"
import { Field } from "../ui/Field.tsx"
import { Switch } from "../ui/Switch.tsx"

const KIND_LABELS: Readonly<Record<InboxKind, string>> = {
  approval: say("Approvals"),
  question: say("Questions"),
  proposal: say("Proposals"),
  review: say("Tasks to review"),
  failed: say("Failures"),
  pairing: say("New devices"),
  budget: say("Budgets"),
  blocked: say("Blocked cards")
}

const NIGHT = { from: "22:00", to: "07:00" }

/** What is chosen for a device. */
type ChosenDevice = Pick<PushDevice, "directAllow" | "kinds" | "label" | "private" | "quiet">

/** A call, because a property of a property would be bound once. */
const allowsDirectly = ({ directAllow }: ChosenDevice): boolean => directAllow

interface PushDeviceChoicesProps {
  readonly device: ChosenDevice
  readonly disabled: boolean
  /** Resolves to what went wrong; null if nothing did. */
  readonly onChoose$: QRL<(choices: PushChoices) => Promise<string | null>>
}

/** Which notifications this device gets, and when; it can be chosen before the device is added. */
export const PushDeviceChoices = component$<PushDeviceChoicesProps>((props) => {
  const id = useId()
  const problem = useSignal<string | null>(null)

  const choose = $(async (choices: PushChoices) => {
    problem.value = await props.onChoose$(choices)
  })
  const rename = $(async (text: string, element: HTMLInputElement) => {
    const label = text.trim()
    if (label === "") element.value = props.device.label
    else if (label !== props.device.label) await choose({ label })
  })
  const setTime = $(async (side: "from" | "to", time: string) => {
    const { quiet } = props.device
    if (quiet === null || time === "") return
    await choose({ quiet: { ...quiet, [side]: time, zone: ownZone() } })
  })

  const { device } = props
  const { quiet } = device
  return (
    <fieldset class="stack gap-4 can-shrink push-choices" disabled={props.disabled}>
      <div class="settings-group">
        <Field label={say("Name of this device")} for={`${id}-name`}>
          <input
            id={`${id}-name`}
            class="field"
            type="text"
            maxLength={60}
            autoComplete="off"
            value={device.label}
            onChange$={(_, element) => rename(element.value, element)}
          />
        </Field>
        <fieldset class="choice">
          <legend>{say("Notify about")}</legend>
          <div class="choice-options">
            {INBOX_KINDS.map((kind) => (
              <label key={kind} class="choice-option">
                <input
                  type="checkbox"
                  checked={device.kinds.includes(kind)}
                  onChange$={(_, element) => {
                    const others = props.device.kinds.filter((known) => known !== kind)
                    return choose({ kinds: element.checked ? [...others, kind] : others })
                  }}
                />
                <span>{KIND_LABELS[kind]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Switch
          label={say("Show the text")}
          hint={say("What the agent wants to do or asks. Otherwise notifications only say what kind of thing waits.")}
          checked={!device.private}
          onChange$={(on) => choose({ private: !on })}
        />
        <Switch
          label={say("Allow without opening the console")}
          hint={say("The Allow button of a notification decides at once. Deny always does.")}
          checked={allowsDirectly(device)}
          onChange$={(on) => choose({ directAllow: on })}
        />
        <Switch
          label={say("Quiet hours")}
          hint={say(
            "What comes in is sent afterwards, if it still waits. Only what would be over by then is sent at once."
          )}
          checked={quiet !== null}
          onChange$={(on) => choose({ quiet: on ? { ...NIGHT, zone: ownZone() } : null })}
        />
        {quiet !== null && (
          <div class="stack gap-3 push-times">
            <Field label={say("From")} for={`${id}-from`}>
              <input
                id={`${id}-from`}
                class="field"
                type="time"
                required
                value={quiet.from}
                aria-describedby={`${id}-zone`}
                onChange$={(_, element) => setTime("from", element.value)}
              />
            </Field>
            <Field label={say("To")} for={`${id}-to`}>
              <input
                id={`${id}-to`}
                class="field"
                type="time"
                required
                value={quiet.to}
                aria-describedby={`${id}-zone`}
                onChange$={(_, element) => setTime("to", element.value)}
              />
            </Field>
            <p id={`${id}-zone`} class="field-hint">
              {say("Time zone: {zone}", { zone: quiet.zone })}
            </p>
          </div>
        )}
      </div>
      <p class="settings-note is-warning" role="status" hidden={problem.value === null}>
        {problem.value}
      </p>
    </fieldset>
  )
})
