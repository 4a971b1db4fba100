import { component$ } from "@builder.io/qwik"

/** A figure with its name. */
export interface Tile {
  readonly label: string
  readonly value: string
  /** A few words below. */
  readonly note?: string
}

/** Figures in a row. */
export const Tiles = component$<{ readonly tiles: ReadonlyArray<Tile> }>((props) => (
  <dl class="stack gap-3 tiles">
    {props.tiles.map((tile) => (
      <div key={tile.label} class="surface tile">
        <dt>{tile.label}</dt>
        <dd>{tile.value}</dd>
        {tile.note !== undefined && <dd class="muted">{tile.note}</dd>}
      </div>
    ))}
  </dl>
))
