import { component$ } from "@builder.io/qwik"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { downloadPath } from "./filePath.ts"

/** A PDF: the browser's own viewer shows it in a tab of its own, since the page's policy allows no frames. */
export const PdfPreview = component$<{ readonly path: string }>((props) => {
  const name = nameOf(props.path)
  return (
    <EmptyState icon="file" title={name} text="The browser's own viewer shows it in a tab of its own.">
      <div class="file-choices">
        <a class="button is-primary" href={`${downloadPath(props.path)}&view=pdf`} target="_blank" rel="noopener">
          Show the PDF
        </a>
        <a class="button" href={downloadPath(props.path)} download>
          Download it
        </a>
      </div>
    </EmptyState>
  )
})
