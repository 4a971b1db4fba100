import { component$ } from "@builder.io/qwik"
import type { UsageGroup } from "../../core/operations/usage.ts"
import { USAGE_HEADS, usageCells } from "./usageTable.ts"

interface UsageTableProps {
  /** What a row is, such as "Day". */
  readonly kind: string
  /** Names the table for screen readers. */
  readonly label: string
  readonly groups: ReadonlyArray<UsageGroup>
}

/** The numbers behind a chart. */
export const UsageTable = component$<UsageTableProps>((props) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label={props.label}>
    <table>
      <thead>
        <tr>
          <th scope="col">{props.kind}</th>
          {USAGE_HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.groups.map((group) => (
          <tr key={group.name}>
            <th scope="row">{group.name}</th>
            {usageCells(group).map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
))
