import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { skillsStore } from "../../core/operations/SkillsStore.ts"
import { findSkills, type SkillState, type SkillView } from "../../core/operations/skills.ts"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"
import { SkillCard } from "./SkillCard.tsx"
import { SKILL_WORDS } from "./skillWords.ts"
import "./skills.css"

type Shown = SkillState | "all"
const STATES: ReadonlyArray<Shown> = ["all", "ready", "missing", "unavailable", "blocked", "off"]
const shownOf = (text: string): Shown => STATES.find((state) => state === text) ?? "all"

const countOf = (skills: ReadonlyArray<SkillView>, state: Shown) =>
  state === "all" ? skills.length : skills.filter((skill) => skill.state === state).length

/** What the agent can do, and why it can't do the rest. */
export const SkillsView = component$(() => {
  const app = useServices()
  const query = useConstant(() => skillsStore(app.client))
  const state = useQuery(query)
  const search = useSignal("")
  const only = useSignal<Shown>("all")
  const retry = $(() => query.refresh())
  const { value, problem, busy } = state.value
  const found = value === null ? [] : findSkills(value, search.value, only.value)
  const ready = value === null ? 0 : countOf(value, "ready")

  return (
    <section aria-labelledby="skills-title" class="place">
      <div class="place-head">
        <div>
          <h2 id="skills-title">Skills</h2>
          <p class="place-text">
            {value === null
              ? "What the agent can do beyond chatting."
              : `${ready} of ${value.length} are ready to use. Install and turn them on at the gateway.`}
          </p>
        </div>
        <button type="button" class="button" disabled={busy} onClick$={retry}>
          <Icon name="refresh" />
          <span>Refresh</span>
        </button>
      </div>
      {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <LoadingState label="Loading skills…" />}
      {value === null && problem !== null && (
        <ErrorState title="Couldn't load the skills" text={problem} onRetry$={retry} />
      )}
      {value?.length === 0 && (
        <EmptyState icon="wrench" title="No skills" text="The gateway has none. Install some on its machine." />
      )}
      {value !== null && value.length > 0 && (
        <>
          <div class="place-tools">
            <label class="visually-hidden" for="skill-search">
              Search skills
            </label>
            <input
              id="skill-search"
              class="field"
              type="search"
              placeholder="Search"
              autocomplete="off"
              bind:value={search}
            />
            <label class="visually-hidden" for="skill-state">
              Show
            </label>
            <select
              id="skill-state"
              class="field"
              onChange$={(_, element) => {
                only.value = shownOf(element.value)
              }}
            >
              {STATES.filter((shown) => shown === "all" || countOf(value, shown) > 0).map((shown) => (
                <option key={shown} value={shown} selected={shown === only.value}>
                  {`${shown === "all" ? "All" : SKILL_WORDS[shown]} (${countOf(value, shown)})`}
                </option>
              ))}
            </select>
          </div>
          <p class="visually-hidden" role="status">
            {`${found.length} skills shown`}
          </p>
          {found.length === 0 && (
            <EmptyState icon="search" title="No skills found" text="Try different words, or show all skills." />
          )}
          <ul class="plain-list skills">
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
