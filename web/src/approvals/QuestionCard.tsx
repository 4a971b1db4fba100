import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import { listText } from "../core/common/phrases.ts"
import { draftOf, openPart, openParts, optionsOf, partsOf, withOption, withWords } from "../core/inbox/answerRules.ts"
import type { Draft, Drafts, QuestionPart as Part, SecretPlace } from "../core/inbox/inboxTypes.ts"
import { headingOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { ActionButton, TimeLeft } from "./ActionButton.tsx"
import type { ItemCardProps } from "./DecisionCard.tsx"
import { sayDecided } from "./decide.ts"
import { ItemHead, KindIcon } from "./ItemHead.tsx"
import "./approvals.css"

interface QuestionPartProps {
  readonly part: Part
  /** Another one of several is shown; what was typed into this one stays. */
  readonly isHidden: boolean
  /** Unique among all parts on the page. */
  readonly name: string
  readonly draft: Draft
  readonly onOption$: QRL<(id: string) => void>
  readonly onWords$: QRL<(words: string) => void>
  readonly onSecret$: QRL<(filled: boolean) => void>
}

const placeText = ({ name, hosts, replaces }: SecretPlace): string => {
  const use =
    hosts.length === 0
      ? say("It can't be sent to any host yet.")
      : say("It can be sent to {hosts}.", { hosts: listText(hosts) })
  const kept = replaces
    ? say("Replaces {name} on the gateway.", { name })
    : say("Saved on the gateway as {name}.", { name })
  return say("{kept} The agent doesn't see it. {use}", { kept, use })
}

/** A field for something the agent must not see; the page keeps none of it. */
const SecretField = component$<Pick<QuestionPartProps, "part" | "name" | "onSecret$">>((props) => {
  const { part, name } = props
  return (
    <div class="row wrap gap-2 soft question-own">
      <input
        id={name}
        class="field"
        type="password"
        aria-label={say("Secret")}
        autocomplete="off"
        spellcheck={false}
        data-secret={part.id}
        onInput$={(_, element) => props.onSecret$(element.value !== "")}
      />
      {part.store !== null && <p class="approval-detail">{placeText(part.store)}</p>}
    </div>
  )
})

/** One question from an agent: its options, a field for free text, or one for a secret. */
const QuestionPart = component$<QuestionPartProps>((props) => {
  const { part, name } = props
  const chosen = props.draft.chosen
  const reason = part.store?.reason ?? null
  const options = optionsOf(part)
  const fieldset = useSignal<HTMLElement>()

  // What was pressed and replaced by words before anything was drawn again is still pressed: nothing to draw has changed.
  useBrowserTask$(({ track }) => {
    const { chosen } = track(() => props.draft)
    for (const input of fieldset.value?.querySelectorAll<HTMLInputElement>(".question-option input") ?? [])
      input.checked = chosen.includes(input.value)
  })

  return (
    <fieldset ref={fieldset} class="stack gap-2 can-shrink question-part" data-part={part.id} hidden={props.isHidden}>
      <legend>
        <span class="strong break-words pre-wrap question-text">{part.text}</span>
      </legend>
      {reason !== null && <p class="approval-detail">{reason}</p>}
      {part.url !== null && (
        <a class="small break-words" href={part.url} target="_blank" rel="noopener noreferrer">
          <span>{part.url}</span>
        </a>
      )}
      {options.map(({ id, label, description }) => (
        <label key={id} class={["row gap-3 question-option", chosen.includes(id) && "is-chosen"]}>
          <input
            type={part.multiple ? "checkbox" : "radio"}
            name={name}
            value={id}
            checked={chosen.includes(id)}
            onChange$={() => props.onOption$(id)}
          />
          <span>
            <span class="question-label">{label}</span>
            {description !== null && <span class="question-description">{description}</span>}
          </span>
        </label>
      ))}
      {part.secret === true && <SecretField part={part} name={name} onSecret$={props.onSecret$} />}
      {part.freeText && part.secret !== true && (
        <div class="row wrap gap-2 soft question-own">
          {options.length > 0 && <Icon name="pencil" />}
          <input
            class="field"
            type="text"
            aria-label={options.length > 0 ? say("Your own answer") : say("Your answer")}
            placeholder={options.length > 0 ? say("Or type your own answer") : say("Your answer")}
            autocomplete="off"
            value={props.draft.words}
            onInput$={(_, element) => props.onWords$(element.value)}
          />
        </div>
      )}
    </fieldset>
  )
})

const TEXT_FIELD = "input:not([type=radio], [type=checkbox])"

/** Frames until a part that is to be shown is drawn. */
const FRAMES = 60

/** The composer while it has the focus. */
const composerInUse = (): HTMLTextAreaElement | null => {
  const { activeElement } = document
  return activeElement instanceof HTMLTextAreaElement && activeElement.id === "composer" ? activeElement : null
}

/**
 * Moves the focus to a part of a question's card once it's shown, or to the button that goes on. Whoever has begun to
 * write a message meanwhile keeps it.
 */
const focusPart = (form: HTMLElement, partId: string | null, tries = FRAMES): void => {
  const part = partId === null ? null : form.querySelector(`[data-part="${CSS.escape(partId)}"]`)
  if (part instanceof HTMLElement && part.hidden && tries > 0) {
    afterFrames(1, () => focusPart(form, partId, tries - 1))
    return
  }
  if ((composerInUse()?.value ?? "") !== "") return
  const control =
    part?.querySelector<HTMLElement>("input:checked") ??
    part?.querySelector<HTMLElement>("input") ??
    form.querySelector<HTMLElement>("button[type=submit]")
  control?.focus({ preventScroll: part !== null })
}

/** Whether the next press of Tab would leave the part in this direction; the options of one choice are one stop. */
const isAtEdge = (part: Element, target: Element, isBack: boolean): boolean => {
  const stops = [...part.querySelectorAll("a, input")]
  const index = stops.indexOf(target)
  const rest = isBack ? stops.slice(0, index) : stops.slice(index + 1)
  const isSame = (stop: Element) => target.matches("[type=radio]") && stop.matches("[type=radio]")
  return index >= 0 && rest.every(isSame)
}

/** The parts without an answer; `filled` are those whose secret was typed. */
const openIds = (item: ItemCardProps["item"], drafts: Drafts, filled: ReadonlySet<string>): ReadonlySet<string> => {
  const unfilled = partsOf(item).filter((part) => part.secret === true && !filled.has(part.id))
  return new Set([...openParts(item, drafts), ...unfilled].map((part) => part.id))
}

interface PartStepsProps {
  readonly parts: ReadonlyArray<Part>
  /** The parts without an answer. */
  readonly open: ReadonlySet<string>
  readonly shown: string
  readonly onShow$: QRL<(partId: string) => unknown>
}

/** The parts of a question by their names: which is shown, and which have an answer. */
const PartSteps = component$<PartStepsProps>((props) => (
  <ol class="plain-list flex wrap gap-2 question-steps">
    {props.parts.map(({ header, id }, index) => {
      const isOpen = props.open.has(id)
      const name = header ?? say("Question {number}", { number: index + 1 })
      return (
        <li key={id}>
          <button
            type="button"
            class="pill"
            aria-current={id === props.shown ? "step" : undefined}
            onClick$={() => props.onShow$(id)}
          >
            {isOpen ? <span aria-hidden="true">{index + 1}</span> : <Icon name="check" />}
            <span>{name}</span>
            {!isOpen && <span class="visually-hidden">{say("Answered")}</span>}
          </button>
        </li>
      )
    })}
  </ol>
))

const NO_DRAFTS: Drafts = {}

/** An agent's question, with the ways to answer it. */
export const QuestionCard = component$<ItemCardProps>((props) => {
  const app = useServices()
  const { item, isLinked = false, isHeld = false } = props
  const { id, detail, expiresAt } = item
  const parts = partsOf(item)
  const all = useReadable(app.client.inbox.drafts)
  const form = useSignal<HTMLFormElement>()
  const busy = useSignal(false)
  /** The part to be answered now; the first open one to begin with. */
  const shown = useSignal(() => (openPart(item, all.value[id] ?? NO_DRAFTS) ?? parts[0])?.id ?? "")
  const filled = useSignal<ReadonlySet<string>>(new Set())
  const place = isLinked ? "inbox" : "chat"

  const show = $((partId: string) => {
    shown.value = partId
    afterFrames(2, () => {
      if (form.value !== undefined) focusPart(form.value, partId)
    })
  })

  useBrowserTask$(({ cleanup }) => {
    const { said, drafts } = app.client.inbox
    // A message that answered a part of it leads on to the next one.
    const goOn = () => {
      const part = openPart(props.item, drafts.get()[id] ?? NO_DRAFTS)
      if (part !== null) void show(part.id)
      else if (form.value !== undefined) focusPart(form.value, null)
    }
    cleanup(
      said.subscribe((one) => {
        if (one?.id === id && !isLinked) afterFrames(2, goOn)
      })
    )
    // Whoever would type into the empty composer means to answer.
    if (!isLinked && window.matchMedia("(pointer: fine)").matches)
      afterFrames(2, () => {
        if (composerInUse()?.value === "") goOn()
      })

    const element = form.value
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const part = target instanceof Element ? target.closest("fieldset") : null
      if (part === null || !(target instanceof Element) || event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === "Tab" && isAtEdge(part, target, event.shiftKey)) {
        const all = partsOf(props.item)
        const next = all[all.findIndex((one) => one.id === part.dataset.part) + (event.shiftKey ? -1 : 1)]
        if (next === undefined) return
        event.preventDefault()
        void show(next.id)
      } else if (event.key === "Enter" && !target.matches("a")) {
        // The inbox would open what has the focus; here, Enter goes on.
        event.preventDefault()
        element?.requestSubmit()
      } else if (
        event.key.length === 1 &&
        event.key !== " " &&
        !isLinked &&
        target.matches("[type=radio], [type=checkbox]")
      )
        part.querySelector<HTMLElement>(TEXT_FIELD)?.focus()
    }
    element?.addEventListener("keydown", onKey)
    cleanup(() => element?.removeEventListener("keydown", onKey))
  })

  const done = $((result: ActionResult, action: string) => {
    busy.value = false
    if (!result.ok) return app.notices.show("error", result.message)
    if (props.isLinked === true) sayDecided(app, [props.item], action)
    return props.onDecided$?.()
  })
  const answer = $(async () => {
    const fields = form.value?.querySelectorAll<HTMLInputElement>("[data-secret]") ?? []
    const secrets = Object.fromEntries([...fields].map((field) => [field.dataset.secret ?? "", field.value]))
    busy.value = true
    await done(await app.client.inbox.act((store) => store.answer(props.item, secrets)), "answer")
  })
  const skip = $(async () => {
    busy.value = true
    await done(await app.client.inbox.act((store) => store.resolve(props.item, { action: "skip" })), "skip")
  })
  /** From what the draft is at that moment: two changes may come before the card is drawn again. */
  const change = $(async (partId: string, changed: (draft: Draft) => Draft) => {
    const { id } = props.item
    const store = await app.client.inbox.load()
    const now = draftOf(app.client.inbox.drafts.get()[id] ?? NO_DRAFTS, partId)
    store.setDraft(id, partId, changed(now))
  })
  const setFilled = $((partId: string, isFilled: boolean) => {
    const next = new Set(filled.value)
    if (isFilled) next.add(partId)
    else next.delete(partId)
    filled.value = next
  })

  /** From what is chosen at that moment: a choice and Enter may come before the card is drawn again. */
  const goOn = $(() => {
    if (busy.value || props.isHeld === true) return
    const { item } = props
    const parts = partsOf(item)
    const open = openIds(item, app.client.inbox.drafts.get()[item.id] ?? NO_DRAFTS, filled.value)
    if (open.has(shown.value)) return form.value === undefined ? undefined : focusPart(form.value, shown.value)
    const at = parts.findIndex((part) => part.id === shown.value)
    const next = [...parts.slice(at + 1), ...parts.slice(0, at)].find((part) => open.has(part.id))
    return next === undefined ? answer() : show(next.id)
  })

  const drafts = all.value[id] ?? NO_DRAFTS
  const open = openIds(item, drafts, filled.value)
  const isLast = [...open].every((partId) => partId === shown.value)
  return (
    <section
      class="approval question"
      aria-label={isLinked ? undefined : say("The agent has a question")}
      data-inbox-item={id}
    >
      {isLinked ? (
        <ItemHead item={item} />
      ) : (
        <header class="row gap-2 approval-head">
          <KindIcon kind="question" />
          <h3>{headingOf(item)}</h3>
        </header>
      )}
      {detail !== null && <p class="field-hint">{detail}</p>}
      <form ref={form} class="stack gap-3 question-form" preventdefault:submit onSubmit$={goOn} autocomplete="off">
        {parts.length > 1 && <PartSteps parts={parts} open={open} shown={shown.value} onShow$={show} />}
        {parts.map((part) => {
          const partId = part.id
          const name = `${place}-${id}-${partId}`
          return (
            <QuestionPart
              key={partId}
              part={part}
              isHidden={partId !== shown.value}
              name={name}
              draft={draftOf(drafts, partId)}
              onOption$={(option: string) => change(partId, (draft) => withOption(part, draft, option))}
              onWords$={(words: string) => change(partId, (draft) => withWords(part, draft, words))}
              onSecret$={(isFilled: boolean) => setFilled(partId, isFilled)}
            />
          )
        })}
        <div class="row wrap gap-2 approval-answers">
          <button
            type="submit"
            class="button is-small is-primary"
            disabled={busy.value || isHeld || open.has(shown.value)}
          >
            <span>{parts.length === 1 ? say("Answer") : isLast ? say("Send answers") : say("Next")}</span>
            <span class="action-key" aria-hidden="true">
              ↵
            </span>
          </button>
          <ActionButton
            action="skip"
            label={say("Skip")}
            title={say("The agent continues without an answer")}
            isDisabled={busy.value || isHeld}
            onPress$={skip}
          />
          {expiresAt !== null && <TimeLeft until={expiresAt} end="expired" />}
        </div>
      </form>
    </section>
  )
})
