import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { OpenApi } from "effect/http-api"
import { Auth } from "../../../services/access/auth/Auth.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { needing } from "../../Right.ts"
import { openApiDocument } from "./openApiDocument.ts"

/** The reference page's styles, light and dark. */
const REFERENCE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dbe2, #343945); --soft: light-dark(#f5f6f8, #1d2027); --dim: light-dark(#5b6270, #a0a7b5); --link: light-dark(#1d5fbf, #8ab8ff) }
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 15px/1.55 system-ui, sans-serif; background: light-dark(#fff, #14161b); color: light-dark(#1a1d23, #e7e9ee) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); background: var(--soft); font-size: 13px }
nav ul { list-style: none; margin: .2rem 0 1rem; padding: 0 }
nav a { display: block; padding: .15rem .4rem; border-radius: 4px; color: inherit; text-decoration: none; overflow-wrap: anywhere }
nav a:hover { background: var(--line) }
nav summary { font-weight: 600; cursor: pointer }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 60rem }
a { color: var(--link) }
small, .note, .answer { color: var(--dim) }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
article { margin: 1rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; scroll-margin-top: 1rem }
article:target { outline: 2px solid var(--link) }
h3 { margin: 0 0 .5rem; font-size: 1rem; overflow-wrap: anywhere }
p { margin: .4rem 0 }
.method { display: inline-block; min-width: 4.5em; padding: .05rem .4rem; border-radius: 4px; font: 600 12px/1.6 ui-monospace, monospace; text-align: center; color: #fff; background: #5b6270 }
.get { background: #1f6f43 } .post { background: #1d5fbf } .put, .patch { background: #8a5a00 } .delete { background: #b3261e }
table { width: 100%; border-collapse: collapse; margin: .6rem 0; font-size: 14px }
th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top }
pre { margin: .3rem 0 .6rem; padding: .7rem; overflow: auto; border-radius: 6px; background: var(--soft); font: 12.5px/1.5 ui-monospace, monospace }
summary { cursor: pointer; padding: .15rem 0 }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr) } nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line) } }
`

const METHODS = ["get", "post", "put", "patch", "delete"] as const

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: OpenApi.OpenAPISpecOperation
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const anchor = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-")

const entriesOf = (document: OpenApi.OpenAPISpec): ReadonlyArray<Entry> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    })
  )

const schemaBlock = (title: string, schema: unknown): string =>
  `<details><summary>${escape(title)}</summary><pre>${escape(JSON.stringify(schema, undefined, 2))}</pre></details>`

const contentBlocks = (title: string, content: OpenApi.OpenApiSpecContent | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, media]) => schemaBlock(`${title} · ${type}`, media.schema))
    .join("")

const parameterTable = (parameters: ReadonlyArray<OpenApi.OpenAPISpecParameter>): string => {
  if (parameters.length === 0) return ""
  const rows = parameters.map((parameter) => {
    const notes = [parameter.required ? "required" : "optional", parameter.description ?? ""]
      .filter(Boolean)
      .join(" · ")
    return `<tr><td><code>${escape(parameter.name)}</code></td><td>${parameter.in}</td><td>${escape(notes)}</td></tr>`
  })
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Notes</th></tr></thead><tbody>${rows.join("")}</tbody></table>`
}

const operationBlock = ({ method, path, operation }: Entry): string => {
  const responses = Object.entries(operation.responses)
    .map(([status, response]) =>
      response.content === undefined
        ? `<p class="answer">${status} · ${escape(response.description)}</p>`
        : contentBlocks(`${status} · ${response.description}`, response.content)
    )
    .join("")
  return [
    `<article id="${anchor(`${method} ${path}`)}">`,
    `<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escape(path)}</code></h3>`,
    operation.summary === undefined ? "" : `<p>${escape(operation.summary)}</p>`,
    operation.description === undefined ? "" : `<p class="note">${escape(operation.description)}</p>`,
    parameterTable(operation.parameters),
    contentBlocks("Body", operation.requestBody?.content),
    responses,
    "</article>"
  ].join("")
}

/**
 * The reference as one plain page, without scripts or other hosts, so it works under the usual content security policy.
 */
export const referencePage = (document: OpenApi.OpenAPISpec): string => {
  const entries = entriesOf(document)
  const sections = document.tags.map((tag) => ({
    name: tag.name,
    entries: entries.filter((entry) => entry.operation.tags[0] === tag.name)
  }))
  const links = sections
    .map(({ name, entries: own }) => {
      const items = own.map(
        ({ method, path }) => `<li><a href="#${anchor(`${method} ${path}`)}"><b>${method}</b> ${escape(path)}</a></li>`
      )
      return `<details open><summary>${escape(name)}</summary><ul>${items.join("")}</ul></details>`
    })
    .join("")
  const bodies = sections
    .map(
      ({ name, entries: own }) =>
        `<section><h2 id="${anchor(name)}">${escape(name)}</h2>${own.map(operationBlock).join("")}</section>`
    )
    .join("")
  const schemas = Object.entries(document.components.schemas)
    .map(([name, schema]) => schemaBlock(name, schema))
    .join("")
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<meta name="color-scheme" content="light dark"><title>${escape(document.info.title)} API</title>`,
    `<style>${REFERENCE_STYLE}</style></head><body><nav aria-label="Contents">${links}</nav><main>`,
    `<h1>${escape(document.info.title)} API <small>${escape(document.info.version)}</small></h1>`,
    `<p>${escape(document.info.description ?? "")}</p><p><a href="openapi.json">OpenAPI 3.1 document</a></p>`,
    bodies,
    `<section><h2 id="schemas">Schemas</h2>${schemas}</section></main></body></html>`
  ].join("\n")
}

/** The API reference, as an OpenAPI document and as a page; each is built at its first request. */
export const DocsRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { cookieName } = yield* Auth
    const { basePath } = yield* Settings
    const document = yield* Effect.cached(Effect.sync(() => openApiDocument(cookieName, basePath)))
    const asJson = yield* Effect.cached(Effect.map(document, (spec) => HttpServerResponse.jsonUnsafe(spec)))
    const asPage = yield* Effect.cached(
      Effect.map(document, (spec) =>
        HttpServerResponse.text(referencePage(spec), { contentType: "text/html; charset=utf-8" })
      )
    )
    yield* router.add("GET", "/api/openapi.json", asJson).pipe(needing("read"))
    yield* router.add("GET", "/api/docs", asPage).pipe(needing("read"))
  })
)
