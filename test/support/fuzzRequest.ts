import { request } from "node:http"
import { gzipSync } from "node:zlib"
import type { Fuzz } from "./fuzz.ts"

type Json = Readonly<Record<string, unknown>>

/** One operation of the OpenAPI document. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly query: ReadonlyArray<string>
  /** Schema of the JSON body, if it takes one. */
  readonly body: unknown
}

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Every operation of an OpenAPI document. */
export const operationsOf = (document: unknown): ReadonlyArray<Operation> =>
  Object.entries(objectOf(objectOf(document).paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).map(([method, operation]) => {
      const { parameters, requestBody } = objectOf(operation)
      const named = listOf(parameters).map(objectOf)
      const content = objectOf(objectOf(objectOf(requestBody).content)["application/json"])
      return {
        method: method.toUpperCase(),
        path,
        query: named.filter((one) => one.in === "query").map((one) => String(one.name)),
        body: content.schema
      }
    })
  )

/** A value that a schema asks for, more or less: often right, often a little wrong, sometimes something else. */
const valueOf = (fuzz: Fuzz, schema: unknown, components: Json, depth = 4): unknown => {
  if (depth === 0 || fuzz.chance(0.08)) return fuzz.json()
  const { $ref, type, properties, items, anyOf, enum: words } = objectOf(schema)
  if (typeof $ref === "string") {
    return valueOf(fuzz, components[$ref.slice($ref.lastIndexOf("/") + 1)], components, depth - 1)
  }
  const choices = listOf(anyOf)
  if (choices.length > 0) return valueOf(fuzz, choices[fuzz.below(choices.length)], components, depth - 1)
  const known = listOf(words)
  if (known.length > 0 && fuzz.chance(0.8)) return known[fuzz.below(known.length)]
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(objectOf(properties))
          .filter(() => fuzz.chance(0.85))
          .map(([name, one]) => [name, valueOf(fuzz, one, components, depth - 1)])
      )
    case "array":
      return Array.from({ length: fuzz.below(4) }, () => valueOf(fuzz, items, components, depth - 1))
    case "string":
      return fuzz.chance(0.4) ? "plain" : fuzz.text()
    case "number":
    case "integer":
      return fuzz.chance(0.4) ? 1 : fuzz.number()
    case "boolean":
      return fuzz.chance(0.5)
    default:
      return fuzz.json()
  }
}

/** What is sent as the body, and what is said of it. */
const bodyOf = (fuzz: Fuzz, schema: unknown, components: Json): readonly [bytes: Buffer, headers: Json] => {
  const text = JSON.stringify(valueOf(fuzz, schema, components)) ?? "null"
  const plain = Buffer.from(text)
  switch (fuzz.below(16)) {
    case 0:
      return [Buffer.alloc(0), {}]
    case 1:
      return [Buffer.from(text.slice(0, fuzz.below(text.length + 1))), {}]
    case 2:
      return [Buffer.from(text, "utf16le"), { "content-type": "application/json; charset=utf-16" }]
    case 3:
      return [Buffer.concat([plain, fuzz.bytes(40)]), {}]
    case 4:
      return [gzipSync(plain), { "content-encoding": "gzip" }]
    case 5:
      return [fuzz.bytes(200), { "content-type": "multipart/form-data; boundary=x" }]
    case 6:
      return [
        Buffer.from(`--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--x--`),
        {
          "content-type": `multipart/form-data${fuzz.chance(0.7) ? "; boundary=x" : ""}`
        }
      ]
    case 7:
      return [Buffer.from(`${"[".repeat(40_000)}`), {}]
    case 8:
      return [Buffer.from(`{"a":${"1".repeat(4000)},"__proto__":{"x":1},"__proto__":2}`), {}]
    case 9:
      return [
        Buffer.concat([Buffer.from("\ufeff"), plain]),
        { "content-type": fuzz.pick(["text/plain", "x", "a/b;;="]) }
      ]
    case 10:
      return [Buffer.from(JSON.stringify(fuzz.json())), {}]
    default:
      return [plain, { "content-type": "application/json" }]
  }
}

const oddHeaders = (fuzz: Fuzz): Json => {
  if (fuzz.chance(0.6)) return {}
  return {
    [fuzz.pick([
      "cookie",
      "range",
      "if-none-match",
      "accept-encoding",
      "accept",
      "if-modified-since",
      "x-forwarded-for"
    ])]: fuzz
      .text()
      .replace(/[^\x20-\x7e]/g, "?")
      .slice(0, 2000)
  }
}

/** What came back, told apart from a connection that was simply closed. */
export interface FuzzAnswer {
  readonly label: string
  readonly status: number
  readonly text: string
}

let clients = 0

/** Sends one request of an operation with everything in it made up. */
export const sendFuzz = (fuzz: Fuzz, port: number, operation: Operation, components: Json): Promise<FuzzAnswer> => {
  clients += 1
  const encode = (text: string) =>
    fuzz.chance(0.9) ? encodeURIComponent(text.toWellFormed()) : text.replace(/[^!-~]/g, "_")
  const path = operation.path.replace(/\{\w+\}/g, () => encode(fuzz.text()).slice(0, 4000) || "x")
  const query = operation.query
    .filter(() => fuzz.chance(0.7))
    .map((name) => `${name}=${encode(fuzz.text()).slice(0, 4000)}`)
    .join("&")
  const [bytes, said] = operation.method === "GET" ? [Buffer.alloc(0), {}] : bodyOf(fuzz, operation.body, components)
  // A rate limit of its own for each: everything stands behind a trusted proxy on this machine.
  const client = { "x-forwarded-for": `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...client, ...said, ...oddHeaders(fuzz) })) headers[name] = String(value)
  if (operation.method !== "GET") headers["content-length"] = String(bytes.length)
  const target = `${path}${query === "" ? "" : `?${query}`}`.replace(/[^!-~]/g, "_")
  const label = `${operation.method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${bytes.toString("latin1").slice(0, 300)}`
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method: operation.method, path: target, headers, agent: false },
      (answer) => {
        const chunks: Array<Buffer> = []
        const status = answer.statusCode ?? 0
        const done = () => {
          resolve({ label, status, text: Buffer.concat(chunks).toString("utf8") })
          sent.destroy()
        }
        if (answer.headers["content-type"] === "text/event-stream") return done()
        answer
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", done)
          .on("error", done)
      }
    )
    sent.setTimeout(20_000, () => sent.destroy(new Error(`no answer within 20 s: ${label}`)))
    sent.on("error", reject)
    sent.end(bytes)
  })
}
