import type { OpenApi } from "effect/http-api"
import { REFERENCE_STYLE } from "./referenceStyle.ts"

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
    `<p>${escape(document.info.description ?? "")}</p><p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p>`,
    bodies,
    `<section><h2 id="schemas">Schemas</h2>${schemas}</section></main></body></html>`
  ].join("\n")
}
