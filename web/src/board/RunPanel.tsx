import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useServices } from "../base/AppContext.ts"
import { chatPath } from "../base/routes.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { useReadable } from "../base/useReadable.ts"
import { HoldNotes } from "../budgets/HoldNotes.tsx"
import { LimitButton } from "../budgets/LimitButton.tsx"
import { startText } from "../core/board/boardText.ts"
import { isRunning, isWaiting, type RunLink, type Task } from "../core/board/boardTypes.ts"
import { withoutSent } from "../core/board/CommentThread.ts"
import { laterMessages, runProgress, runText } from "../core/board/runProgress.ts"
import { workOfCard } from "../core/budgets/holds.ts"
import { money } from "../core/common/numberText.ts"
import { asSentence } from "../core/common/phrases.ts"
import { duration, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { createScrollFollower } from "../ui/ScrollFollower.ts"
import { StateMark } from "../ui/StateBadge.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { useNow } from "../ui/useNow.ts"
import { useBoard } from "./BoardContext.ts"
import { announce, runCard } from "./boardActions.ts"
import { runCommands } from "./boardCommands.ts"
import { RunTook } from "./CardFacts.tsx"
import { isForceable, WaitNotes } from "./WaitNotes.tsx"

/** What an agent writes while it works; it follows the end until a person scrolls up. */
const RunText = component$<{ readonly text: string }>((props) => {
  const box = useSignal<HTMLElement>()
  const content = useSignal<HTMLElement>()
  useBrowserTask$(({ cleanup }) => {
    if (box.value === undefined || content.value === undefined) return
    cleanup(createScrollFollower(box.value, content.value).dispose)
  })
  return (
    <section ref={box} class="run-text" tabIndex={0} aria-label={say("What the agent is writing")}>
      <div ref={content}>
        <MarkdownText text={props.text} streaming />
      </div>
    </section>
  )
})

const notes = keptValues<string>()

interface RunPanelProps {
  readonly task: Task
  /** There are unsaved changes, which the agent wouldn't see. */
  readonly dirty: boolean
  /** In US dollars; null while it isn't known. */
  readonly cost: number | null
}

/** An agent's work on a card: start, watch, steer, stop. */
export const RunPanel = component$<RunPanelProps>((props) => {
  const app = useServices()
  const ui = useBoard()
  const note = useKept(notes, props.task.id, () => "")
  const busy = useSignal(false)
  const problem = useSignal("")
  const task = props.task
  const { cost } = props
  const running = isRunning(task)
  const run = task.run
  const sessionKey = run?.sessionKey ?? ""
  const hello = useReadable(app.client.linkOf(props.task.run?.sessionKey ?? "").hello)
  // Before it's known which gateways there are, an added one's session can't be read.
  const isKnown = useReadable(app.client.gateways).value !== null
  const asked = useReadable(app.client.inbox.asked)
  // Older gateways can't hand a message to a running response, and a question is answered in the inbox.
  const canSteer = running && sessionKey !== "" && (hello.value?.protocol ?? 0) >= 4 && !asked.value.has(sessionKey)
  const work = workOfCard(task)
  const startable = isWaiting(task)
  // Why everything or a budget holds it is said once, with what can be decided about it.
  const { waitsFor } = (ui.state.value.status === "ready" ? ui.store.find(task.id) : null) ?? task
  const waits = waitsFor.filter(({ kind }) => kind !== "budget")
  const isForced = isForceable(waits)

  const stop = $(async () => {
    const text = note.value.trim()
    problem.value = ""
    busy.value = true
    const done = await ui.actions.step(props.task.id, "abort", text === "" ? {} : { note: text })
    busy.value = false
    if (!done.ok) {
      problem.value = done.message
      return
    }
    note.value = withoutSent(note.value, text)
    // The card may leave this place with its form at once.
    if (note.value === "") notes.delete(props.task.id)
    announce(ui, say("The agent was stopped. The card is back in To do."))
  })

  const start = $(async () => {
    busy.value = true
    // Why it waits is read beside the button, so nothing more is asked.
    const { waitsFor = [] } = ui.store.find(props.task.id) ?? {}
    await runCard(app, ui, props.task, isForceable(waitsFor) ? { force: true } : {})
    busy.value = false
  })
  useCommands(() => runCommands(props.task, { isSaved: () => !props.dirty, run: start, stop }))

  const steer = $(() => {
    const text = note.value.trim()
    if (text === "") {
      problem.value = say("Write what the agent should know.")
      return document.getElementById("run-note")?.focus()
    }
    problem.value = ""
    note.value = withoutSent(note.value, text)
    // The card may leave this place with its form at once.
    if (note.value === "") notes.delete(props.task.id)
    app.client.chat(props.task.run?.sessionKey ?? "").send(text, [], "steer")
    announce(ui, say("The agent reads your message at its next step."))
  })

  return (
    <section class={["stack gap-3 run-panel", running && "is-running"]} aria-label={say("Agent run")}>
      {(running || startable) && <HoldNotes work={work} />}
      {startable && waits.length > 0 && <WaitNotes waits={waits} />}
      {running && run !== null && <RunProgress key={`${sessionKey} ${isKnown}`} run={run} />}
      {!running && run !== null && <RunOutcome run={run} cost={cost} />}
      {startable && (
        <div class="run-actions">
          <button
            type="button"
            class={["button", !isForced && "is-primary"]}
            disabled={busy.value || props.dirty}
            onClick$={start}
          >
            <Icon name="bot" />
            <span>
              {isForced ? say("Start anyway") : task.run === null ? startText(task.assignee) : say("Run again")}
            </span>
          </button>
          {props.dirty && <span class="run-hint">{say("Save your changes first so the agent sees them.")}</span>}
        </div>
      )}
      {running && (
        <div class="field-row">
          <label for="run-note">
            {canSteer
              ? say("Message to the agent, or a note for its next attempt")
              : say("Note for the next attempt (optional)")}
          </label>
          <textarea
            id="run-note"
            class="field"
            rows={2}
            maxLength={5000}
            value={note.value}
            aria-invalid={problem.value === "" ? undefined : "true"}
            onInput$={(_, element) => {
              note.value = element.value
            }}
          />
        </div>
      )}
      <p class="form-problem" role="alert">
        {problem.value}
      </p>
      {running && (
        <div class="run-actions">
          {canSteer && (
            <button type="button" class="button is-primary" disabled={busy.value} onClick$={steer}>
              <Icon name="arrow-up" />
              <span>{say("Tell the agent")}</span>
            </button>
          )}
          <button type="button" class="button" disabled={busy.value} onClick$={stop}>
            <Icon name="square" />
            <span>{say("Stop agent")}</span>
          </button>
        </div>
      )}
      {(running || startable) && (
        <div class="run-actions">
          <LimitButton scope={{ kind: "task", taskId: task.id }} />
        </div>
      )}
    </section>
  )
})

/** Which console carries the run out, and on which gateway, where several share the board. */
const RunPlace = component$<{ readonly run: RunLink }>((props) => {
  const { console, gateway } = props.run
  if (console === null) return null
  const place =
    gateway === null
      ? say("Console {console}", { console })
      : say("Console {console}, gateway {gateway}", { console, gateway })
  return <p class="run-note">{place}</p>
})

/** Whether the agent has read the message. */
const ReadMark = component$<{ readonly isRead: boolean }>(({ isRead }) => {
  const text = isRead ? say("Read by the agent") : say("On its way to the agent")
  return (
    <span title={text}>
      <Icon name={isRead ? "check" : "hourglass"} />
      <span class="visually-hidden">{text}</span>
    </span>
  )
})

/** Why a run is paused; null for one that isn't. */
const pausedText = (paused: RunLink["paused"]): string | null => {
  if (paused === null) return null
  return "stop" in paused ? say("Stopped with everything") : say("Paused: a budget is used up")
}

/** A run in progress: how long, what the agent is doing, and a link to its conversation. */
const RunProgress = component$<{ readonly run: RunLink }>((props) => {
  const app = useServices()
  const { sessionKey, startedAt, note, paused } = props.run
  const progress = useConstant(() => selectReadable(app.client.chat(sessionKey).state, runProgress))
  const doing = useReadable(progress, { perFrame: true })
  const writing = useConstant(() => selectReadable(app.client.chat(sessionKey).state, runText))
  const text = useReadable(writing, { perFrame: true })
  const messages = useReadable(
    useConstant(() => selectReadable(app.client.chat(sessionKey).state, (state) => laterMessages(state, startedAt))),
    { perFrame: true }
  )
  const now = useNow(1000)
  return (
    <div class="stack justify-start gap-2 run-progress">
      <p class="row wrap full-width run-headline">
        <StateMark state={paused === null ? "working" : "stopped"} />
        <strong>{pausedText(paused) ?? say("The agent is working")}</strong>
        <span class="tabular run-time">{duration((paused?.at ?? now.value) - startedAt)}</span>
      </p>
      <RunPlace run={props.run} />
      {note !== null && <p class="run-note">{note}</p>}
      {doing.value !== "" && <p class="soft small break-words run-doing">{doing.value}</p>}
      {text.value !== "" && <RunText text={text.value} />}
      {messages.value.map((item) => (
        <p key={item.key} class="gap-2 small break-words run-message">
          <ReadMark isRead={item.delivery === "sent" && item.isHanded !== true} />
          <span>{item.text}</span>
          {item.error !== null && <span class="break-words run-failure">{item.error}</span>}
        </p>
      ))}
      <a class="button is-small" href={chatPath(sessionKey)}>
        <Icon name="message-square" />
        <span>{say("Open the conversation")}</span>
      </a>
    </div>
  )
})

const OUTCOMES = {
  running: { state: "stopped", text: say("This run is no longer being tracked.") },
  done: { state: "done", text: say("The agent finished.") },
  error: { state: "failed", text: say("The agent couldn't finish.") },
  aborted: { state: "stopped", text: say("The agent was stopped.") }
} as const

/** The facts of a run besides its outcome, one after another. */
const RunNotes = component$<{ readonly note: string }>((props) => (
  <div>
    {props.note.split("\n").map((note) => (
      <p key={note} class="run-note">
        {markUnseen(asSentence(note), "prose")}
      </p>
    ))}
  </div>
))

/** A run that has ended: how, how long it took, what it cost, and its conversation. */
export const RunOutcome = component$<{ readonly run: RunLink; readonly cost: number | null }>((props) => {
  const { cost, run } = props
  const { error, note, startedAt, endedAt } = run
  const { state, text } = OUTCOMES[run.status]
  const now = useNow(60_000)
  return (
    <div class={["stack justify-start gap-2 run-outcome", `is-${run.status}`]}>
      <p class="row wrap full-width run-headline">
        <StateMark state={state} />
        <strong>{text}</strong>
        <span class="tabular run-facts">
          {endedAt !== null && <TimeMark at={endedAt} text={relativeTime(endedAt, now.value)} />}
          {endedAt !== null && <RunTook ms={endedAt - startedAt} />}
          {cost !== null && <span class="run-cost">{money(cost)}</span>}
        </span>
        {run.sessionKey !== "" && (
          <a class="run-link" href={chatPath(run.sessionKey)}>
            <Icon name="message-square" />
            <span>{say("Conversation")}</span>
          </a>
        )}
      </p>
      {error !== null && <p class="break-words run-failure">{asSentence(error)}</p>}
      <RunPlace run={run} />
      {note !== null && <RunNotes note={note} />}
    </div>
  )
})
