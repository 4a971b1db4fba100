import { $, component$, useSignal } from "@builder.io/qwik"
import { useCommands } from "../base/useCommands.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import type { PushStore } from "../core/push/PushStore.ts"
import type { PushDevice } from "../core/push/pushTypes.ts"
import { useNow } from "../ui/useNow.ts"

interface PushDeviceListProps {
  readonly push: PushStore
  readonly devices: ReadonlyArray<PushDevice>
  /** The id of this browser's device. */
  readonly mine: string | null
}

/** All devices that get notifications, with what became of the last one. */
export const PushDeviceList = component$<PushDeviceListProps>((props) => {
  const now = useNow(60_000)
  const busy = useSignal<string | null>(null)
  const said = useSignal<{ readonly text: string; readonly isProblem: boolean } | null>(null)

  const test = $(async ({ id, label }: PushDevice) => {
    busy.value = id
    said.value = null
    const sent = await props.push.test(id)
    said.value = sent.ok
      ? { text: say("A test notification is on its way to {label}.", { label }), isProblem: false }
      : { text: sent.message, isProblem: true }
    busy.value = null
  })
  const remove = $(async ({ id, label }: PushDevice) => {
    busy.value = id
    const removed = id === props.mine ? await props.push.switchOff() : await props.push.remove(id)
    said.value = removed.ok
      ? { text: say("{label} no longer gets notifications.", { label }), isProblem: false }
      : { text: removed.message, isProblem: true }
    busy.value = null
  })

  useCommands(() =>
    props.devices.flatMap((device) => {
      const { id, label } = device
      const group = say("Notifications")
      const when = () => busy.value !== id
      return [
        {
          id: `push.test ${id}`,
          label: say("Send a test notification to {label}", { label }),
          group,
          when,
          run: () => test(device)
        },
        { id: `push.remove ${id}`, label: say("Remove {label}", { label }), group, when, run: () => remove(device) }
      ]
    })
  )
  const note = said.value
  return (
    <div class="push-devices">
      {props.devices.length > 0 && <h3>{say("Devices")}</h3>}
      <ul class="surface stack full-width settings-list" aria-label={say("Devices that get notifications")}>
        {props.devices.map((device) => (
          <li key={device.id} class="row wrap space-between gap-3 settings-row">
            <div class="can-shrink break-words settings-row-text">
              <p class="flex wrap gap-2 push-device-name">
                <span>{device.label}</span>
                {device.id === props.mine && <span class="soft small push-own">{say("this device")}</span>}
              </p>
              <p class="field-hint" title={device.lastSentAt === null ? "" : fullTime(device.lastSentAt)}>
                {device.lastSentAt === null
                  ? say("No notification sent yet")
                  : say("Last notification {when}", { when: relativeTime(device.lastSentAt, now.value) })}
              </p>
              {device.lastError !== null && <p class="field-hint is-error">{device.lastError}</p>}
            </div>
            <div class="flex gap-2">
              <button
                type="button"
                class="button is-small"
                aria-label={say("Send a test notification to {label}", { label: device.label })}
                disabled={busy.value === device.id}
                onClick$={() => test(device)}
              >
                {say("Test")}
              </button>
              <button
                type="button"
                class="button is-small"
                aria-label={say("Remove {label}", { label: device.label })}
                disabled={busy.value === device.id}
                onClick$={() => remove(device)}
              >
                {say("Remove")}
              </button>
            </div>
          </li>
        ))}
      </ul>
      <p class={["settings-note", note?.isProblem === true && "is-warning"]} role="status" hidden={note === null}>
        {note?.text}
      </p>
    </div>
  )
})
