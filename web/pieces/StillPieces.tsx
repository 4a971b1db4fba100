import { $, component$ } from "@builder.io/qwik"
import { STATE_WORDS, type WorkState } from "../src/core/common/stateWords.ts"
import { EmptyState } from "../src/ui/EmptyState.tsx"
import { ErrorState } from "../src/ui/ErrorState.tsx"
import { Field } from "../src/ui/Field.tsx"
import { Icon } from "../src/ui/Icon.tsx"
import { type LampState, Lighthouse } from "../src/ui/Lighthouse.tsx"
import { LoadingState } from "../src/ui/LoadingState.tsx"
import { Segmented } from "../src/ui/Segmented.tsx"
import { Select } from "../src/ui/Select.tsx"
import { StateBadge } from "../src/ui/StateBadge.tsx"
import { Switch } from "../src/ui/Switch.tsx"
import { Tabs } from "../src/ui/Tabs.tsx"
import "../src/board/board.css"
import "../src/board/card.css"
import "../src/settings/settings.css"

const nothing = $(() => {})

const LAMPS: ReadonlyArray<LampState> = ["dark", "calm", "lit", "blinking"]

const STATES = Object.keys(STATE_WORDS).filter((state): state is WorkState => state in STATE_WORDS)

/** The pieces as they stand there, each in every state. */
export const StillPieces = component$(() => (
  <>
    <section data-piece="Buttons">
      <h2>Buttons</h2>
      <div class="pieces-row">
        <button type="button" class="button">
          Button
        </button>
        <button type="button" class="button is-primary">
          Primary
        </button>
        <button type="button" class="button is-danger">
          Danger
        </button>
        <button type="button" class="button is-small">
          <Icon name="plus" />
          <span>Small</span>
        </button>
        <button type="button" class="button" disabled>
          Disabled
        </button>
        <button type="button" class="button is-primary" disabled>
          Disabled
        </button>
        <button type="button" class="icon-button" aria-label="Copy">
          <Icon name="copy" />
        </button>
        <button type="button" class="icon-button" aria-label="Copy again" disabled>
          <Icon name="copy" />
        </button>
      </div>
    </section>
    <section data-piece="Choices">
      <h2>Choices</h2>
      <div class="pieces-row">
        <button type="button" class="pill" aria-pressed="false">
          Off
        </button>
        <button type="button" class="pill" aria-pressed="true">
          On
        </button>
        <Segmented
          label="Size"
          value="one"
          options={[
            { value: "one", label: "One" },
            { value: "two", label: "Two" }
          ]}
          onChange$={nothing}
        />
        <Segmented
          label="Light"
          value="sun"
          options={[
            { value: "sun", label: "Sun", icon: "sun" },
            { value: "moon", label: "Moon", icon: "moon" }
          ]}
          onChange$={nothing}
        />
      </div>
      <Tabs
        label="Pages"
        current="#one"
        tabs={[
          { href: "#one", label: "Current" },
          { href: "#two", label: "Other", count: 3 }
        ]}
      />
      <Switch label="On" hint="What it does." checked onChange$={nothing} />
      <Switch label="Off" hint="What it does." checked={false} onChange$={nothing} />
      <Switch label="Disabled" hint="What it does." checked={false} disabled onChange$={nothing} />
      <div class="pieces-row">
        <label>
          <input type="checkbox" checked /> Ticked
        </label>
        <label>
          <input type="checkbox" /> Not ticked
        </label>
        <label>
          <input type="radio" name="still" checked /> Chosen
        </label>
        <label class="choice-option">
          <input type="radio" name="option" checked /> Chosen
        </label>
        <label class="choice-option">
          <input type="radio" name="option" /> Other
        </label>
      </div>
    </section>
    <section data-piece="Fields">
      <h2>Fields</h2>
      <Field label="Text" for="still-text" hint="What it's for.">
        <input id="still-text" class="field" value="Text" aria-describedby="still-text-hint" />
      </Field>
      <Field label="Wrong" for="still-wrong" error="What to do about it.">
        <input id="still-wrong" class="field" aria-invalid="true" value="Wrong" aria-describedby="still-wrong-hint" />
      </Field>
      <Field label="Empty" for="still-empty">
        <input id="still-empty" class="field" type="search" placeholder="Placeholder" />
      </Field>
      <Field label="Choice" for="still-choice">
        <Select id="still-choice" value="first" options={[{ value: "first", label: "First" }]} onChange$={nothing} />
      </Field>
      <Field label="Longer" for="still-longer">
        <textarea id="still-longer" class="field" rows={3} value="Some lines" />
      </Field>
      <Field label="Disabled" for="still-disabled">
        <input id="still-disabled" class="field" disabled value="Text" />
      </Field>
    </section>
    <section data-piece="Marks">
      <h2>Marks</h2>
      <div class="pieces-row">
        {STATES.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
        <span class="badge">Plain</span>
        <span class="count">3</span>
        <span class="count is-waiting">12</span>
      </div>
      <div class="pieces-row">
        {STATES.map((state) => (
          <StateBadge key={state} state={state} isPlain />
        ))}
      </div>
      <div class="pieces-row">
        {LAMPS.map((state) => (
          <Lighthouse key={state} state={state} />
        ))}
        <span class="spinner" />
      </div>
    </section>
    <section data-piece="Surfaces">
      <h2>Surfaces</h2>
      <div class="column">
        <div class="column-list">
          <div class="card-row">
            <div class="card">
              <div class="card-main">
                <span class="card-title">A card</span>
                <span class="card-labels">
                  <span class="label-chip">label</span>
                </span>
              </div>
            </div>
          </div>
        </div>
      </div>
      <dl class="surface stack divided break-words fact-rows">
        <div>
          <dt>Fact</dt>
          <dd>What is so</dd>
        </div>
      </dl>
      <div class="notice">
        <span class="notice-text">Something happened.</span>
        <button type="button" class="button is-small">
          Undo
        </button>
      </div>
      <div class="notice is-error">
        <span class="notice-text">Something failed.</span>
      </div>
      <div class="banner">
        <Icon name="triangle-alert" />
        <div class="banner-text">
          <p class="banner-title">Something is away</p>
          <p>What to do.</p>
        </div>
      </div>
    </section>
    <section data-piece="States">
      <h2>States</h2>
      <LoadingState label="Loading…" />
      <EmptyState icon="kanban" title="Nothing yet" text="Make something." />
      <ErrorState title="Couldn't load it" text="Why." onRetry$={nothing} />
      <ErrorState isMissing title="It isn't there" text="Why." action="Go on" href="#one" />
    </section>
    <section data-piece="Layout">
      <h2>Layout</h2>
      <div class="stack gap-2">
        <p class="row gap-2 surface">
          <span class="grow strong truncate">Row</span>
          <span class="soft small nowrap">soft, small</span>
        </p>
        <p class="row wrap space-between gap-3 border-top">
          <span class="mono break-words">mono</span>
          <span class="tiny tabular">12.5</span>
        </p>
      </div>
    </section>
  </>
))
