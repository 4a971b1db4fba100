import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useCommands } from "../../base/useCommands.ts"
import { listText } from "../../core/common/phrases.ts"
import { say, sayCount } from "../../core/language/say.ts"
import { skillsStore } from "../../core/operations/SkillsStore.ts"
import { findSkills, type SkillState, type SkillView } from "../../core/operations/skills.ts"
import { CommandLine } from "../../ui/CommandLine.tsx"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { Select } from "../../ui/Select.tsx"
import { StaleNote, useQuery } from "../StaleNote.tsx"

/** A skill's state in a word or two. */
const SKILL_WORDS: Readonly<Record<SkillState, string>> = {
  ready: say("Ready"),
  missing: say("Needs setup"),
  unavailable: say("Unavailable"),
  blocked: say("Blocked"),
  off: say("Off")
}

/** One skill: what it does, whether it can be used, and what to do if it can't. */
const SkillCard = component$<{ readonly skill: SkillView }>((props) => {
  const { skill } = props
  const { command } = skill
  return (
    <li class={["gap-3 surface skill", `is-${skill.state}`]} data-skill={skill.name}>
      <span class="skill-emoji" aria-hidden="true">
        {skill.emoji === "" ? "🧩" : skill.emoji}
      </span>
      <div class="stack gap-1 grow break-words skill-text">
        <div class="row wrap skill-head">
          <h3>{skill.name}</h3>
          <span class={["badge", skill.state === "ready" ? "is-good" : skill.state === "missing" && "is-warning"]}>
            {SKILL_WORDS[skill.state]}
          </span>
        </div>
        {skill.description !== "" && <p>{skill.description}</p>}
        {skill.reasons.length > 0 && (
          <ul class="skill-reasons">
            {skill.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {skill.install.length > 0 && (
          <p class="soft small">
            {say("On the gateway's machine: {ways}", { ways: listText(skill.install.map(({ label }) => label)) })}
          </p>
        )}
        {command !== null && <CommandLine command={command} label={say("Copy command")} />}
        <p class="row wrap soft small skill-source">
          <span>
            {skill.bundled ? say("Included with the gateway") : skill.source === "" ? say("Added") : skill.source}
          </span>
          {skill.homepage !== null && (
            <a href={skill.homepage} target="_blank" rel="noopener noreferrer">
              {say("About {name}", { name: skill.name })}
            </a>
          )}
        </p>
      </div>
    </li>
  )
})

type StateFilter = SkillState | "all"
const STATES: ReadonlyArray<StateFilter> = ["all", "ready", "missing", "unavailable", "blocked", "off"]
const filterOf = (text: string): StateFilter => STATES.find((state) => state === text) ?? "all"

const countOf = (skills: ReadonlyArray<SkillView>, state: StateFilter) =>
  state === "all" ? skills.length : skills.filter((skill) => skill.state === state).length

/** What the agent can do, and why it can't do the rest. */
export const SkillsView = component$(() => {
  const app = useServices()
  const query = useConstant(() => skillsStore(app.client))
  const state = useQuery(query)
  const search = useSignal("")
  const only = useSignal<StateFilter>("all")
  const retry = $(() => query.refresh())
  useCommands(() => [
    { id: "skills.refresh", label: say("Refresh the skills"), group: say("Skills"), run: retry },
    {
      id: "skills.search",
      label: say("Search skills"),
      group: say("Skills"),
      keys: "f",
      keywords: "find filter",
      run: () => document.getElementById("skill-search")?.focus()
    }
  ])
  const { value, problem, busy } = state.value
  const found = value === null ? [] : findSkills(value, search.value, only.value)
  const ready = value === null ? 0 : countOf(value, "ready")

  return (
    <section aria-labelledby="skills-title" class="place">
      <div class="row wrap space-between place-head">
        <div>
          <h2 id="skills-title">{say("Skills")}</h2>
          {value !== null && (
            <p class="place-text">
              {say("{ready} of {value} are ready to use. Install and turn them on at the gateway.", {
                ready,
                value: value.length
              })}
            </p>
          )}
        </div>
        <button type="button" class="button is-small" disabled={busy} onClick$={retry}>
          <Icon name="refresh" />
          <span>{say("Refresh")}</span>
        </button>
      </div>
      {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <LoadingState label={say("Loading skills…")} />}
      {value === null && problem !== null && (
        <ErrorState title={say("Couldn't load the skills")} text={problem} onRetry$={retry} />
      )}
      {value?.length === 0 && (
        <EmptyState
          icon="wrench"
          title={say("No skills")}
          text={say("The gateway has none. Install some on its machine.")}
        />
      )}
      {value !== null && value.length > 0 && (
        <>
          <div class="row wrap gap-3 place-tools">
            <label class="visually-hidden" for="skill-search">
              {say("Search skills")}
            </label>
            <input
              id="skill-search"
              class="field"
              type="search"
              placeholder={say("Search")}
              autocomplete="off"
              bind:value={search}
            />
            <label class="visually-hidden" for="skill-state">
              {say("Show")}
            </label>
            <Select
              id="skill-state"
              value={only.value}
              options={STATES.filter((state) => state === "all" || countOf(value, state) > 0).map((state) => ({
                value: state,
                label: `${state === "all" ? say("All") : SKILL_WORDS[state]} (${countOf(value, state)})`
              }))}
              onChange$={(state) => {
                only.value = filterOf(state)
              }}
            />
          </div>
          <p class="visually-hidden" role="status">
            {sayCount(found.length, "{count} skill shown", "{count} skills shown")}
          </p>
          {found.length === 0 && (
            <EmptyState
              icon="search"
              title={say("No skills found")}
              text={say("Try different words, or show all skills.")}
            />
          )}
          <ul class="plain-list stack gap-3 skills">
            {found.map((skill) => {
              const { name } = skill
              return <SkillCard key={name} skill={skill} />
            })}
          </ul>
        </>
      )}
    </section>
  )
})
