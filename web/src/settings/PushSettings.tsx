import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { INBOX_KINDS } from "../../../src/contract/inbox.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { lastingStorage } from "../core/link/browserEnvironment.ts"
import { createPushStore, type PushStore } from "../core/push/PushStore.ts"
import { browserName, pageBrowserPush } from "../core/push/pageBrowserPush.ts"
import { OBSTACLES, type PushChoices, type PushDevice, type PushObstacle } from "../core/push/pushTypes.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { Switch } from "../ui/Switch.tsx"
import { useNow } from "../ui/useNow.ts"
import { PushDeviceChoices } from "./PushDeviceChoices.tsx"

interface PushDeviceListProps {
  readonly push: PushStore
  readonly devices: ReadonlyArray<PushDevice>
  /** The id of this browser's device. */
  readonly mine: string | null
}

/** All devices that get notifications, with what became of the last one. */
const PushDeviceList = component$<PushDeviceListProps>((props) => {
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
    <div class="stack gap-4 can-shrink push-devices">
      {props.devices.length > 0 && <h3>{say("Devices")}</h3>}
      <ul
        class="plain-list surface stack divided full-width settings-list"
        aria-label={say("Devices that get notifications")}
      >
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

/** A call, because a property of a property would be bound once. */
const idOf = (device: PushDevice | null): string | null => device?.id ?? null

/** What the console chooses for a new device. */
const BEFORE = { kinds: INBOX_KINDS, private: true, directAllow: false, quiet: null }

interface PushSettingsProps {
  /** What the page already says is in the way, which isn't repeated. */
  readonly saidAbove: string | null
}

/** Notifications while no page is open: this device's, and which devices get any. */
export const PushSettings = component$<PushSettingsProps>((props) => {
  const app = useServices()
  const push = useConstant(() => createPushStore(app.client.api, pageBrowserPush, lastingStorage()))
  const state = useReadable(push.state)
  const obstacle = useSignal<PushObstacle | null>(() => pageBrowserPush.obstacle())
  /** What the person has just chosen, until it's done or has failed. */
  const wanted = useSignal<boolean | null>(null)
  const problem = useSignal<string | null>(null)
  /** What is chosen for this device before it's added. */
  const wished = useSignal<PushChoices | null>(null)

  useBrowserTask$(({ cleanup }) => {
    const look = () => {
      obstacle.value = pageBrowserPush.obstacle()
    }
    void push.load()
    document.addEventListener("visibilitychange", look)
    cleanup(() => document.removeEventListener("visibilitychange", look))
  })

  const change = $(async (on: boolean) => {
    wanted.value = on
    problem.value = null
    const result = on ? await push.switchOn(browserName(navigator.userAgent)) : await push.switchOff()
    const added = push.state.get().mine
    if (on && added !== null && wished.value !== null) await push.change(added.id, wished.value)
    wished.value = null
    obstacle.value = pageBrowserPush.obstacle()
    problem.value = result.ok ? null : result.message
    wanted.value = null
  })

  const choose = $(async (choices: PushChoices): Promise<string | null> => {
    const { mine } = push.state.get()
    if (mine === null) {
      wished.value = { ...wished.value, ...choices }
      return null
    }
    const changed = await push.change(mine.id, choices)
    return changed.ok ? null : changed.message
  })

  const { devices, message, mine, status } = state.value
  const inTheWay = obstacle.value === null ? problem.value : OBSTACLES[obstacle.value]
  const why = inTheWay === props.saidAbove ? null : inTheWay
  return (
    <section class="stack gap-4 can-shrink push" aria-labelledby="push-title">
      <h2 id="push-title">{say("While the console is closed")}</h2>
      {status === "loading" && <LoadingState label={say("Loading devices…")} />}
      {status === "failed" && (
        <ErrorState
          title={say("Couldn't load the devices")}
          text={message ?? say("Try again.")}
          onRetry$={() => push.load()}
        />
      )}
      {status === "ready" && (
        <>
          <div class="settings-group">
            <Switch
              label={say("Notify this device")}
              hint={say(
                "When an agent needs your permission or your answer, and when something else waits for you, also while no page is open."
              )}
              checked={wanted.value ?? mine !== null}
              disabled={wanted.value !== null || (mine === null && obstacle.value !== null)}
              onChange$={change}
            />
          </div>
          <p
            class={["settings-note", why !== null && "is-warning"]}
            role="status"
            hidden={why === null && wanted.value === null}
          >
            {why ?? (wanted.value === false ? say("Switching off…") : say("Asking the browser…"))}
          </p>
          <PushDeviceChoices
            key={idOf(mine)}
            device={mine ?? { ...BEFORE, label: browserName(navigator.userAgent), ...wished.value }}
            disabled={mine === null && obstacle.value !== null}
            onChoose$={choose}
          />
          <PushDeviceList push={push} devices={devices} mine={idOf(mine)} />
        </>
      )}
    </section>
  )
})
