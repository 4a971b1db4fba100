import { $, component$, type QRL, useConstant, useContext, useSignal } from "@builder.io/qwik"
import { isCommand } from "../../../../src/contract/commands.ts"
import { useServices } from "../../base/AppContext.ts"
import { ChatContext } from "../../base/ChatContext.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useCommands } from "../../base/useCommands.ts"
import { useReadable } from "../../base/useReadable.ts"
import { useSelected } from "../../base/useSelected.ts"
import { quotedTitle } from "../../core/common/phrases.ts"
import { joinMessage, splitMessage } from "../../core/composer/messageFiles.ts"
import type { UserItem } from "../../core/conversation/chatTypes.ts"
import { say } from "../../core/language/say.ts"
import { tooLongText } from "../../core/outbox/outboxMessage.ts"
import { growWithText } from "../../ui/growWithText.ts"
import { Icon } from "../../ui/Icon.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import type { MenuItem } from "../../ui/Menu.tsx"
import { MenuButton } from "../../ui/MenuButton.tsx"
import { delayText, fieldTime, repeatsReason, timeInField, waitingReason } from "./deliveryText.ts"
import { createQueueActions, type QueueActions } from "./QueueActions.ts"
import { QueueHandle } from "./QueueHandle.tsx"

interface SendAtProps {
  readonly item: UserItem
  readonly actions: QueueActions
  readonly onDone$: QRL<() => void>
}

/** The time before which a waiting message isn't sent. */
const SendAt = component$<SendAtProps>((props) => {
  const field = useSignal<HTMLInputElement>()
  const problem = useSignal<string | null>(null)

  useBrowserTask$(() => {
    if (field.value === undefined) return
    const known = props.item.waits?.notBefore
    field.value.value = fieldTime(known ?? Date.now() + 60 * 60_000)
    field.value.focus()
  })

  const save = $(async () => {
    const at = timeInField(field.value?.value ?? "")
    if (at === null || at <= Date.now()) {
      problem.value = say("Choose a time in the future.")
      return
    }
    if (await props.actions.change(props.item, { notBefore: at })) props.onDone$()
  })

  return (
    <form class="stack gap-2 delivery-form" aria-label={say("Send at a time")} preventdefault:submit onSubmit$={save}>
      <label class="row wrap gap-2">
        <span>{say("Send at")}</span>
        <input
          ref={field}
          class="field"
          type="datetime-local"
          aria-invalid={problem.value !== null}
          onKeyDown$={(event) => {
            if (event.key !== "Escape") return
            event.stopPropagation()
            props.onDone$()
          }}
        />
      </label>
      {problem.value !== null && <p role="alert">{problem.value}</p>}
      <div class="delivery">
        <button type="button" class="button is-small" onClick$={() => props.onDone$()}>
          {say("Cancel")}
        </button>
        <button type="submit" class="button is-small is-primary">
          {say("Set the time")}
        </button>
      </div>
    </form>
  )
})

/** What was typed for each message. */
const typed = new Map<string, string>()

interface EditWaitingProps {
  readonly item: UserItem
  readonly actions: QueueActions
  readonly onDone$: QRL<() => void>
}

/** Changes the words of a message that waits, at its place in the queue. */
const EditWaiting = component$<EditWaitingProps>((props) => {
  const field = useSignal<HTMLTextAreaElement>()
  const busy = useSignal(false)
  const tooLong = useSignal<string | null>(null)

  useBrowserTask$(() => {
    const area = field.value
    if (area === undefined) return
    area.value = typed.get(props.item.key) ?? splitMessage(props.item.text).words
    growWithText(area)
    area.focus()
  })

  const end = $(() => {
    typed.delete(props.item.key)
    return props.onDone$()
  })
  const save = $(async () => {
    const { files } = splitMessage(props.item.text)
    const text = joinMessage({ words: field.value?.value ?? "", files })
    tooLong.value = tooLongText(text)
    if (tooLong.value !== null) return
    busy.value = true
    // Without any words it's still there, to be taken back.
    const isDone = text === props.item.text || (await props.actions.change(props.item, { text }))
    busy.value = false
    if (isDone) end()
  })

  return (
    <form
      class="stack gap-2 delivery-form"
      aria-label={say("Edit the waiting message")}
      preventdefault:submit
      onSubmit$={save}
    >
      <textarea
        ref={field}
        class="field"
        rows={2}
        readOnly={busy.value}
        aria-label={say("Message")}
        onInput$={(_, area) => {
          typed.set(props.item.key, area.value)
          growWithText(area)
        }}
        onKeyDown$={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation()
            end()
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      {tooLong.value !== null && (
        <p class="delivery-error" role="alert">
          {tooLong.value}
        </p>
      )}
      <div class="delivery">
        <button type="button" class="button is-small" onClick$={end}>
          {say("Cancel")}
        </button>
        <button type="submit" class="button is-small is-primary" disabled={busy.value}>
          {say("Save")}
        </button>
      </div>
    </form>
  )
})

const GROUP = say("Waiting messages")

/** A message by its first words, on one line. */
const nameOf = (text: string): string => quotedTitle(text.trim().replace(/\s+/g, " "))

/** What holds a message up, and what a person can do about it. */
export const WaitingMessage = component$<{ readonly item: UserItem }>((props) => {
  const { delivery } = props.item
  const delay = delayText(props.item)
  if (delivery === "held") return <Held item={props.item} />
  if (delay === null) return <Problem item={props.item} />
  return (
    <p class="delivery">
      <Icon name="hourglass" />
      <span>{delay}</span>
    </p>
  )
})

const useActions = (): QueueActions => {
  const app = useServices()
  const { sessionKey } = useContext(ChatContext)
  return useConstant(() => createQueueActions(app, sessionKey))
}

/** A message that failed, or of which nobody knows whether it arrived. */
const Problem = component$<{ readonly item: UserItem }>((props) => {
  const actions = useActions()
  useCommands(() => {
    const { key, text } = props.item
    const name = nameOf(text)
    const isUnknown = props.item.delivery === "unsure"
    return [
      {
        id: `message.again ${key}`,
        label: say("Send {name} again", { name }),
        group: GROUP,
        run: () => (isUnknown ? actions.decide(props.item, "again") : actions.retry(props.item))
      },
      {
        id: `message.back ${key}`,
        label: say("Take {name} back", { name }),
        group: GROUP,
        run: () => actions.takeBack(props.item)
      }
    ]
  })
  const item = props.item
  const isUnsure = item.delivery === "unsure"
  return (
    <div class={["delivery", !isUnsure && "is-failed"]} role="alert">
      <p class="delivery-error">
        <Icon name="triangle-alert" />
        <span>{item.error ?? say("The message wasn't sent.")}</span>
      </p>
      {isUnsure ? (
        <>
          <button type="button" class="button is-small" onClick$={() => actions.decide(props.item, "sent")}>
            {say("It arrived")}
          </button>
          <button type="button" class="button is-small" onClick$={() => actions.decide(props.item, "again")}>
            {say("Send again")}
          </button>
        </>
      ) : (
        <button type="button" class="button is-small" onClick$={() => actions.retry(props.item)}>
          {say("Resend")}
        </button>
      )}
      <button type="button" class="button is-small" onClick$={() => actions.takeBack(props.item)}>
        {isUnsure ? say("Take back") : say("Edit")}
      </button>
    </div>
  )
})

/** A message in the queue. */
const Held = component$<{ readonly item: UserItem }>((props) => {
  const app = useServices()
  const { sessionKey } = useContext(ChatContext)
  const actions = useActions()
  const chat = useConstant(() => app.client.chat(sessionKey))
  const running = useSelected(chat.state, (state) => state.running)
  const reached = useReadable(app.client.events.connected)
  const linked = useSelected(chat.state, (state) => state.linked)
  const count = useSelected(
    chat.state,
    ({ items }) => items.filter((item) => item.kind === "user" && item.delivery === "held").length
  )
  const repeats = useSelected(chat.state, ({ items }) => repeatsReason(items, props.item.key))
  const asks = useSelected(app.client.inbox.asked, (asked) => asked.has(sessionKey))
  const open = useSignal<"edit" | "time" | null>(null)
  const close = $(() => {
    open.value = null
  })
  const sendsNow = () =>
    running.value && linked.value && !asks.value && !isCommand(props.item.text, props.item.images.length)
  useCommands(() => {
    const { key, text } = props.item
    const name = nameOf(text)
    return [
      {
        id: `message.now ${key}`,
        label: say("Send {name} now", { name }),
        group: GROUP,
        when: sendsNow,
        run: () => actions.sendNow(props.item)
      },
      {
        id: `message.edit ${key}`,
        label: say("Edit {name}", { name }),
        group: GROUP,
        run: () => {
          open.value = "edit"
        }
      },
      {
        id: `message.back ${key}`,
        label: say("Take {name} back", { name }),
        group: GROUP,
        run: () => actions.takeBack(props.item)
      }
    ]
  })
  const item = props.item
  const reason = waitingReason(item, {
    running: running.value,
    reached: reached.value,
    linked: linked.value,
    isAsked: asks.value,
    now: Date.now()
  })
  const canSend = sendsNow()
  const isNewer = (app.client.linkOf(sessionKey).hello.get()?.protocol ?? 0) >= 4
  const hasTime = item.waits?.notBefore != null
  const more: ReadonlyArray<MenuItem> = [
    ...(canSend && isNewer
      ? [
          {
            label: say("Stop and send"),
            icon: "square",
            run: () => actions.change(props.item, { mode: "interrupt" })
          } as const
        ]
      : []),
    { label: hasTime ? say("Change the time…") : say("Send at…"), icon: "clock", run: () => (open.value = "time") },
    ...(hasTime
      ? [
          {
            label: say("Send without waiting"),
            icon: "arrow-up",
            run: () => actions.change(props.item, { notBefore: null })
          } as const
        ]
      : []),
    { label: say("Take back"), icon: "rotate-ccw", run: () => actions.takeBack(props.item) }
  ]
  if (open.value === "edit") return <EditWaiting item={item} actions={actions} onDone$={close} />
  if (open.value === "time") return <SendAt item={item} actions={actions} onDone$={close} />
  return (
    <div class="delivery">
      {count.value > 1 && <QueueHandle item={item} actions={actions} />}
      <p class="delivery-note">
        <span class="delivery-ticks" title={say("Kept by the console")}>
          <Icon name={hasTime ? "clock" : "check"} />
        </span>
        <span class={repeats.value && "visually-hidden"}>{reason}</span>
      </p>
      {asks.value && item.images.length === 0 && (
        <button type="button" class="button is-small" onClick$={() => actions.answer(props.item)}>
          {say("Send as answer")}
        </button>
      )}
      {canSend && (
        <button type="button" class="button is-small" onClick$={() => actions.sendNow(props.item)}>
          {isNewer ? say("Send now") : say("Stop and send")}
        </button>
      )}
      <IconButton icon="pencil" label={say("Edit")} onClick$={() => (open.value = "edit")} />
      <MenuButton label={say("More for this message")} items={more} />
    </div>
  )
})
