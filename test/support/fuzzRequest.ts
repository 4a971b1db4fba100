import { request } from "node:http"
import { gzipSync } from "node:zlib"
import type { Fuzz } from "./fuzz.ts"
import { toneWav } from "./voice/sounds.ts"

type Json = Readonly<Record<string, unknown>>

/** How many values of each name are kept, and how long a text may be, in characters. */
const KNOWN_VALUES = 60
const KNOWN_LENGTH = 200

/** What requests are generated from. */
export interface Made {
  readonly fuzz: Fuzz
  readonly known: Known
  /** Schemas of the OpenAPI document by name. */
  readonly components: Json
  /** How often a value violates its schema, from 0 to 1. */
  readonly wild: number
}

/** A third of the requests are valid by their schemas, a third almost, a third hardly. */
const WILD = [0, 0.03, 0.2] as const

const FILE_NAMES = ["a.wav", "a.webm", "a.txt", "../a", ""] as const
const FILE_TYPES = ["audio/wav", "audio/webm", "audio/webm;codecs=opus", "text/plain", "x"] as const
/** Starts of files: a complete one, one that only claims to be a recording, none. */
const FILE_STARTS = [toneWav(0.05), Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(0)] as const

/** One operation of the OpenAPI document. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Schema of the JSON body, if it takes one. */
  readonly body: unknown
  /** Schema of the form, if it takes one. */
  readonly form: unknown
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly isRequired: boolean
  readonly schema: unknown
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The name for the keys of objects with a given name. */
const keysOf = (name: string) => `${name}{}`

/**
 * Existing values for requests: some given by name (`name{}` for keys), and those that responses contained
 * last.
 */
export class Known {
  readonly #words: Readonly<Record<string, ReadonlyArray<string>>>
  readonly #values = new Map<string, Array<string | number>>()

  constructor(words: Readonly<Record<string, ReadonlyArray<string>>>) {
    this.#words = words
  }

  /** Remembers the latest strings and numbers of a response by name. */
  learn(value: unknown, name = ""): void {
    if (Array.isArray(value)) for (const one of value) this.learn(one, name)
    else if (typeof value === "object" && value !== null) {
      this.learn(Object.keys(value), keysOf(name))
      for (const [key, one] of Object.entries(value)) this.learn(one, key)
    } else if ((typeof value === "string" && value.length <= KNOWN_LENGTH) || typeof value === "number") {
      const values = this.#values.get(name) ?? []
      if (values.includes(value)) return
      this.#values.set(name, [...values, value].slice(-KNOWN_VALUES))
    }
  }

  recall(fuzz: Fuzz, name: string): string | number | undefined {
    const words = Object.hasOwn(this.#words, name) ? (this.#words[name] ?? []) : []
    const values = this.#values.get(name) ?? []
    const from = words.length > 0 && (values.length === 0 || fuzz.chance(0.5)) ? words : values
    return from[fuzz.below(from.length)]
  }
}

/** Every operation of an OpenAPI document. */
export const operationsOf = (document: unknown): ReadonlyArray<Operation> =>
  Object.entries(objectOf(objectOf(document).paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).map(([method, operation]) => {
      const { parameters, requestBody } = objectOf(operation)
      const content = objectOf(objectOf(requestBody).content)
      return {
        method: method.toUpperCase(),
        path,
        parameters: listOf(parameters)
          .map(objectOf)
          .map((one) => ({
            name: String(one.name),
            in: one.in === "path" ? "path" : "query",
            isRequired: one.required === true,
            schema: one.schema
          })),
        body: objectOf(content["application/json"]).schema,
        form: objectOf(content["multipart/form-data"]).schema
      }
    })
  )

/** A value for a schema; the higher the wildness, the more often it's slightly or completely wrong. */
const valueOf = (made: Made, schema: unknown, name = "", depth = 4): unknown => {
  const { fuzz, known, components, wild } = made
  if (depth === 0 || fuzz.chance(wild)) return fuzz.json()
  const {
    $ref,
    type,
    properties,
    additionalProperties,
    required,
    items,
    anyOf,
    enum: words,
    maxLength
  } = objectOf(schema)
  if (typeof $ref === "string") {
    return valueOf(made, components[$ref.slice($ref.lastIndexOf("/") + 1)], name, depth)
  }
  const choices = listOf(anyOf)
  if (choices.length > 0) return valueOf(made, choices[fuzz.below(choices.length)], name, depth)
  const literals = listOf(words)
  if (literals.length > 0 && !fuzz.chance(wild)) return literals[fuzz.below(literals.length)]
  const recalled = fuzz.chance(0.7) ? known.recall(fuzz, name) : undefined
  if (typeof recalled === (type === "integer" ? "number" : type)) return recalled
  switch (type) {
    case "object": {
      if (properties === undefined) {
        const keys = Array.from({ length: 1 + fuzz.below(3) }, () =>
          String(known.recall(fuzz, keysOf(name)) ?? "title")
        )
        const one = additionalProperties ?? { type: "string" }
        return Object.fromEntries(keys.map((key) => [key, valueOf(made, one, key, depth - 1)]))
      }
      const all = Object.entries(objectOf(properties))
      // Of many optional fields only a few, because each may be what is wrong.
      const some = Math.min(0.5, 4 / all.length)
      const wanted = all.filter(([key, one]) => {
        if (listOf(required).includes(key)) return !fuzz.chance(wild)
        return fuzz.chance(objectOf(one).not === undefined ? some : wild)
      })
      return Object.fromEntries(wanted.map(([key, one]) => [key, valueOf(made, one, key, depth - 1)]))
    }
    case "array":
      return Array.from({ length: fuzz.below(4) }, () => valueOf(made, items, name, depth - 1))
    case "string": {
      const longest = fuzz.chance(wild) ? undefined : Number(maxLength ?? 300)
      return fuzz.chance(wild === 0 ? 0.8 : 0.4) ? "plain" : fuzz.text().slice(0, longest) || "plain"
    }
    case "number":
    case "integer":
      return fuzz.chance(0.8) ? 1 + fuzz.below(20) : fuzz.number()
    case "boolean":
      return fuzz.chance(0.5)
    case "null":
      return null
    default:
      return fuzz.json()
  }
}

/** A form for a schema, whose file is usually a recording. */
const formOf = (made: Made, schema: unknown): readonly [bytes: Buffer, headers: Json] => {
  const { fuzz, wild } = made
  const parts = Object.entries(objectOf(objectOf(schema).properties)).flatMap(([name, one]) => {
    if (fuzz.chance(wild)) return []
    const isFile = objectOf(one).format === "binary"
    const filename = isFile ? `; filename="${fuzz.pick(FILE_NAMES)}"` : ""
    const type = isFile && fuzz.chance(0.8) ? `content-type: ${fuzz.pick(FILE_TYPES)}\r\n` : ""
    const content = isFile
      ? Buffer.concat([fuzz.pick(FILE_STARTS), fuzz.bytes(2000)])
      : Buffer.from(String(valueOf(made, one, name)))
    const head = `--x\r\ncontent-disposition: form-data; name="${name}"${filename}\r\n${type}\r\n`
    return [Buffer.from(head), content, Buffer.from("\r\n")]
  })
  const whole = Buffer.concat([...parts, Buffer.from("--x--\r\n")])
  const bytes = !fuzz.chance(wild) ? whole : whole.subarray(0, fuzz.below(whole.length))
  return [bytes, { "content-type": "multipart/form-data; boundary=x" }]
}

/** The body and its headers. */
const bodyOf = (made: Made, { path, body, form }: Operation): readonly [bytes: Buffer, headers: Json] => {
  const { fuzz, wild } = made
  if (form !== undefined && (wild === 0 || fuzz.chance(0.7))) return formOf(made, form)
  if (body === undefined && wild === 0) return [Buffer.alloc(0), {}]
  const text = JSON.stringify(valueOf(made, body, path)) ?? "null"
  const plain = Buffer.from(text)
  switch (wild === 0 ? -1 : fuzz.below(16)) {
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

/** The response, as opposed to a connection that was simply closed. */
export interface FuzzAnswer {
  readonly label: string
  /** It came from a separate address, so that no other request counts against its rate limit. */
  readonly isAlone: boolean
  readonly status: number
  readonly text: string
}

let clients = 0

/** Sends one generated request for an operation and learns from the response. */
export const sendFuzz = (all: Omit<Made, "wild">, port: number, operation: Operation): Promise<FuzzAnswer> => {
  const { fuzz, known } = all
  // The document itself contains no existing values.
  const learn = (text: string) =>
    operation.path === "/api/openapi.json" ? undefined : known.learn(jsonOf(text), operation.path)
  const made = { ...all, wild: fuzz.pick(WILD) }
  clients += 1
  const encode = (text: string) =>
    (!fuzz.chance(made.wild) ? encodeURIComponent(text.toWellFormed()) : text.replace(/[^!-~]/g, "_")).slice(0, 4000)
  const given = (kind: Parameter["in"]) => operation.parameters.filter((one) => one.in === kind)
  let path = operation.path
  for (const { name, schema } of given("path")) {
    const text = encode(String(valueOf(made, schema, name)))
    path = path.replace(`{${name}}`, () => text || "x")
  }
  const query = given("query")
    .filter(({ isRequired }) => (isRequired ? !fuzz.chance(made.wild) : fuzz.chance(0.5)))
    .map(({ name, schema }) => `${name}=${encode(String(valueOf(made, schema, name)))}`)
    .join("&")
  const [bytes, said] = operation.method === "GET" ? [Buffer.alloc(0), {}] : bodyOf(made, operation)
  // A separate rate limit for each: everything is behind a trusted proxy on this machine.
  const client = { "x-forwarded-for": `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...client, ...said, ...oddHeaders(fuzz) })) headers[name] = String(value)
  if (operation.method !== "GET") headers["content-length"] = String(bytes.length)
  const isAlone = headers["x-forwarded-for"] === client["x-forwarded-for"]
  const target = `${path}${query === "" ? "" : `?${query}`}`.replace(/[^!-~]/g, "_")
  const label = `${operation.method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${bytes.toString("latin1").slice(0, 300)}`
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method: operation.method, path: target, headers, agent: false },
      (answer) => {
        const chunks: Array<Buffer> = []
        const status = answer.statusCode ?? 0
        const done = () => {
          const text = Buffer.concat(chunks).toString("utf8")
          if (status === 200 || status === 201) learn(text)
          resolve({ label, isAlone, status, text })
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
