import { component$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { csvRows } from "../core/text/csvRows.ts"

/** Rows that are drawn; the text has all of them. */
const MOST_ROWS = 500

/** A file of separated values as a table, the first row as its head. */
export const CsvTable = component$<{ readonly text: string }>((props) => {
  const { hasMore, rows } = csvRows(props.text, MOST_ROWS)
  const [head = [], ...body] = rows
  return (
    <>
      <table class="csv-table">
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col" dir="auto">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore && <p class="soft small csv-more">{say("The first {count} rows are shown.", { count: MOST_ROWS })}</p>}
    </>
  )
})
