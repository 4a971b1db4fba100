import { component$ } from "@builder.io/qwik"
import { say } from "../../core/language/say.ts"
import type { SkillView } from "../../core/operations/skills.ts"
import { SKILL_WORDS } from "./skillWords.ts"

/** One skill: what it does, whether it can be used, and what to do if it can't. */
export const SkillCard = component$<{ readonly skill: SkillView }>((props) => {
  const { skill } = props
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
          <p class="row wrap soft small skill-install">
            <span>{say("On the gateway's machine:")}</span>
            {skill.install.map((hint) => (
              <span key={hint.label} class="chip">
                {hint.label}
              </span>
            ))}
          </p>
        )}
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
