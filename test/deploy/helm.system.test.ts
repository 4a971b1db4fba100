import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { beforeAll } from "vitest"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { SETTING_NAMES } from "../../src/services/platform/settings/settingNotes.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const chart = join(root, "deploy/helm/agent-console")
const renderer = fileURLToPath(new URL("support/helm", import.meta.url))
const program = join(root, "node_modules/.cache/agent-console/render-chart")

const SPRIG = "/usr/share/gocode/src/github.com/Masterminds/sprig"
const has = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0
const canRender = has("go", "version") && has("test", "-d", SPRIG)
if (!canRender)
  console.log("left out: rendering the chart needs Go and Helm's libraries for it (.ci/run installs them)")
const hasHelm = has("helm", "version")

type Values = Readonly<Record<string, unknown>>

const LEAST: Values = { gateway: { url: "http://gateway:18789", token: "the-token" } }

const Texts = Schema.Record(Schema.String, Schema.String)
const Path = Schema.Struct({ httpGet: Schema.Struct({ path: Schema.String }) })

/** What the tests read of an object of Kubernetes. */
const Container = Schema.Struct({
  env: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      value: Schema.optionalKey(Schema.String),
      valueFrom: Schema.optionalKey(Schema.Unknown)
    })
  ),
  ports: Schema.Array(Schema.Struct({ name: Schema.String })),
  securityContext: Schema.Unknown,
  livenessProbe: Schema.optionalKey(Path),
  readinessProbe: Schema.optionalKey(Schema.Struct({ httpGet: Schema.optionalKey(Path.fields.httpGet) }))
})
const Pod = Schema.Struct({
  metadata: Schema.Struct({ labels: Texts }),
  spec: Schema.Struct({
    containers: Schema.Tuple([Container]),
    securityContext: Schema.Unknown,
    volumes: Schema.optionalKey(Schema.Array(Schema.Unknown))
  })
})
const Workload = Schema.Struct({
  replicas: Schema.Int,
  strategy: Schema.optionalKey(Schema.Unknown),
  selector: Schema.Struct({ matchLabels: Texts }),
  template: Pod,
  volumeClaimTemplates: Schema.optionalKey(Schema.Array(Schema.Unknown))
})
const Service = Schema.Struct({
  selector: Texts,
  ports: Schema.Tuple([Schema.Struct({ targetPort: Schema.String })])
})
const Made = Schema.Struct({
  apiVersion: Schema.String,
  kind: Schema.String,
  metadata: Schema.Struct({ name: Schema.String, annotations: Schema.optionalKey(Texts) }),
  spec: Schema.optionalKey(Schema.Unknown),
  stringData: Schema.optionalKey(Texts)
})
const Rendered = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Made)])))
const decodeRendered = Schema.decodeUnknownSync(Rendered)

interface Machine {
  readonly release?: string
  /** Secrets that are there already. */
  readonly secrets?: Values
}

const run = (values: Values, { release = "team", secrets = {} }: Machine = {}) =>
  spawnSync(program, {
    input: JSON.stringify({ chart, release, namespace: "agents", values, secrets }),
    encoding: "utf8"
  })

/** Everything that the chart makes. */
const render = (values: Values, machine?: Machine) => {
  const { stderr, stdout } = run(values, machine)
  assert.strictEqual(stderr, "")
  const files = decodeRendered(stdout)
  const objects = Object.values(files).flatMap((made) => (typeof made === "string" ? [] : made))
  const all = new Map(objects.map((one) => [`${one.kind}/${one.metadata.name}`, one]))
  const get = (name: string) => all.get(name) ?? assert.fail(`no ${name} among ${[...all.keys()]}`)
  const workload = (name: string) => Schema.decodeUnknownSync(Workload)(get(name).spec)
  const pod = (name = "team-agent-console") => workload(`Deployment/${name}`).template.spec
  return {
    all,
    get,
    workload,
    pod,
    service: (name: string) => Schema.decodeUnknownSync(Service)(get(`Service/${name}`).spec),
    secret: (name: string) => get(`Secret/${name}`).stringData ?? {},
    env: (name?: string): Values =>
      Object.fromEntries(pod(name).containers[0].env.map((one) => [one.name, one.value ?? one.valueFrom])),
    notes: String(files["NOTES.txt"])
  }
}

/** A file of `deploy` as strict YAML. */
const readYaml = (name: string): unknown => {
  const asked = { file: join(root, "deploy", name) }
  const { status, stderr, stdout } = spawnSync(program, { input: JSON.stringify(asked), encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  return JSON.parse(stdout)
}

/** Why it makes nothing. */
const refused = (values: Values): string => {
  const { status, stderr } = run(values)
  assert.strictEqual(status, 1)
  return stderr
}

const fromSecret = (name: string, key: string, optional?: boolean) => ({
  secretKeyRef: { name, key, ...(optional === undefined ? {} : { optional }) }
})

beforeAll(() => {
  if (!canRender) return
  execFileSync("go", ["build", "-o", program, "."], {
    cwd: renderer,
    env: { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "" }
  })
}, 300_000)

describe("the Helm chart", () => {
  it("names the version of the program", () => {
    const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version
    assert.include(readFileSync(join(chart, "Chart.yaml"), "utf8"), `appVersion: "${version}"`)
  })

  it.runIf(hasHelm)("is accepted by `helm lint --strict` (needs helm)", () => {
    const values = ["--set", "gateway.url=http://gateway:1,gateway.token=x"]
    const { status, stdout } = spawnSync("helm", ["lint", "--strict", chart, ...values], { encoding: "utf8" })
    assert.strictEqual(status, 0, stdout)
  })
})

describe.runIf(canRender)("the Helm chart, rendered by Helm's template engine and functions (needs Go)", () => {
  it("makes a console with one volume, its secrets apart, closed in", () => {
    const made = render(LEAST)
    assert.sameMembers(
      [...made.all.keys()],
      ["Deployment", "PersistentVolumeClaim", "Secret", "Service"].map((kind) => `${kind}/team-agent-console`)
    )
    const pod = made.pod()
    const [console] = pod.containers
    assert.deepStrictEqual(pod.volumes, [
      { name: "data", persistentVolumeClaim: { claimName: "team-agent-console" } },
      { name: "tmp", emptyDir: {} }
    ])
    assert.deepInclude(console.securityContext, {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] }
    })
    assert.deepInclude(pod.securityContext, { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 })
    assert.strictEqual(console.livenessProbe?.httpGet.path, "/healthz")
    assert.strictEqual(console.readinessProbe?.httpGet?.path, "/readyz")
    const { replicas, strategy } = made.workload("Deployment/team-agent-console")
    assert.deepStrictEqual([replicas, strategy], [1, { type: "Recreate" }])

    assert.deepInclude(made.env(), {
      GATEWAY_URL: "http://gateway:18789",
      GATEWAY_TOKEN: fromSecret("team-agent-console", "gateway-token"),
      SVC_AUTH: "true",
      SVC_INSTANCE: "team-agent-console"
    })
    for (const name of Object.keys(made.env())) assert.include(SETTING_NAMES, name)
    const others = [...made.all.values()].filter(({ kind }) => kind !== "Secret")
    assert.notInclude(JSON.stringify(others), "the-token")
    assert.strictEqual(made.secret("team-agent-console")["gateway-token"], "the-token")
    assert.match(made.secret("team-agent-console")["session-secret"] ?? "", /^[0-9a-f]{64}$/)
  })

  it("has what `helm lint --strict` asks of a chart and of what it makes", () => {
    const facts = Schema.decodeUnknownSync(Texts)(readYaml("helm/agent-console/Chart.yaml"))
    assert.deepInclude(facts, { apiVersion: "v2", name: "agent-console", type: "application" })
    assert.match(facts.version ?? "", /^\d+\.\d+\.\d+$/)
    assert.match(facts.appVersion ?? "", /^\d+\.\d+\.\d+$/)
    assert.match(facts.kubeVersion ?? "", /^>=\d+\.\d+\.\d+-0$/)
    for (const name of readdirSync(join(chart, "templates"))) assert.match(name, /\.(?:ya?ml|tpl|txt)$/)
    const ingress = { enabled: true, host: "c.example", tlsSecret: "cert" }
    const { all } = render({ ...LEAST, ingress, postgresql: { enabled: true } })
    // Those that no supported Kubernetes has removed or calls deprecated.
    const stable = { apps: "apps/v1", core: "v1", networking: "networking.k8s.io/v1" }
    for (const { apiVersion, kind, metadata, spec } of all.values()) {
      assert.include(Object.values(stable), apiVersion, kind)
      assert.match(metadata.name, /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
      if (apiVersion === stable.apps) assert.isNotEmpty(Schema.decodeUnknownSync(Workload)(spec).selector.matchLabels)
    }
  })

  it("selects the pods that it makes", () => {
    const made = render({ ...LEAST, postgresql: { enabled: true } })
    for (const [kind, name] of [
      ["Deployment", "team-agent-console"],
      ["StatefulSet", "team-agent-console-postgresql"]
    ] as const) {
      const { selector, template } = made.workload(`${kind}/${name}`)
      const service = made.service(name)
      assert.deepInclude(template.metadata.labels, selector.matchLabels)
      assert.deepStrictEqual(service.selector, selector.matchLabels)
      assert.include(
        template.spec.containers[0].ports.map((port) => port.name),
        service.ports[0].targetPort
      )
    }
  })

  it("says what is missing", () => {
    assert.include(refused({}), "gateway.url is required")
    assert.include(
      refused({ gateway: { url: "http://g", token: "" } }),
      "gateway.token (or existingSecret) is required"
    )
    const both = { ...LEAST, board: { url: "postgres://a@b/c" }, postgresql: { enabled: true } }
    assert.include(refused(both), "set either board.url, for a PostgreSQL of yours, or postgresql.enabled")
  })

  it("puts the board into a PostgreSQL of its own, or into one that's there", () => {
    const own = render({ ...LEAST, postgresql: { enabled: true } })
    assert.strictEqual(
      own.env().BOARD_URL,
      "postgres://console:$(BOARD_PASSWORD)@team-agent-console-postgresql:5432/console"
    )
    const names = Object.keys(own.env())
    assert.isBelow(names.indexOf("BOARD_PASSWORD"), names.indexOf("BOARD_URL"))
    assert.match(own.secret("team-agent-console-postgresql").password ?? "", /^[A-Za-z0-9]{32}$/)
    assert.strictEqual(own.workload("StatefulSet/team-agent-console-postgresql").volumeClaimTemplates?.length, 1)

    const there = render({ ...LEAST, board: { url: "postgres://me:secret@db/board" } })
    assert.strictEqual(there.secret("team-agent-console")["board-url"], "postgres://me:secret@db/board")
    assert.deepStrictEqual(there.env().BOARD_URL, fromSecret("team-agent-console", "board-url", true))
  })

  it("keeps the secrets that it once made", () => {
    const base64 = (text: string) => Buffer.from(text).toString("base64")
    const secrets = {
      "team-agent-console": { data: { "session-secret": base64("ab".repeat(32)) } },
      "team-agent-console-postgresql": { data: { password: base64("kept") } }
    }
    const made = render({ ...LEAST, postgresql: { enabled: true } }, { secrets })
    assert.strictEqual(made.secret("team-agent-console")["session-secret"], "ab".repeat(32))
    assert.strictEqual(made.secret("team-agent-console-postgresql").password, "kept")
  })

  it("leaves its volumes when it is uninstalled, and the password that opens one", () => {
    const made = render({ ...LEAST, postgresql: { enabled: true } })
    const kept = [...made.all.values()].filter(
      ({ metadata }) => metadata.annotations?.["helm.sh/resource-policy"] === "keep"
    )
    assert.sameMembers(
      kept.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
      ["PersistentVolumeClaim/team-agent-console", "Secret/team-agent-console-postgresql"]
    )
  })

  it("uses a secret and a claim that are there, and can do without a volume", () => {
    const made = render({
      gateway: { url: "http://g", token: "" },
      existingSecret: "mine",
      persistence: { existingClaim: "disk" }
    })
    assert.sameMembers([...made.all.keys()], ["Deployment/team-agent-console", "Service/team-agent-console"])
    assert.deepStrictEqual(made.env().GATEWAY_TOKEN, fromSecret("mine", "gateway-token"))
    assert.deepInclude(made.pod().volumes ?? [], { name: "data", persistentVolumeClaim: { claimName: "disk" } })
    const without = render({ ...LEAST, persistence: { enabled: false } })
    assert.deepInclude(without.pod().volumes ?? [], { name: "data", emptyDir: {} })
    assert.isFalse(without.all.has("PersistentVolumeClaim/team-agent-console"))
  })

  it("answers at the name of an ingress, which lets through what the console promises", () => {
    const ingress = { enabled: true, host: "c.example", tlsSecret: "cert", className: "nginx", annotations: { a: "b" } }
    const made = render({ ...LEAST, ingress })
    assert.deepInclude(made.env(), { ALLOWED_ORIGINS: "https://c.example" })
    const { metadata, spec } = made.get("Ingress/team-agent-console")
    assert.deepInclude(metadata.annotations, { a: "b", "nginx.ingress.kubernetes.io/proxy-body-size": "100m" })
    assert.deepInclude(spec, { ingressClassName: "nginx", tls: [{ hosts: ["c.example"], secretName: "cert" }] })
    assert.include(made.notes, "The console is at https://c.example/\n")
    const plain = render({ ...LEAST, ingress: { enabled: true, host: "c.example" } })
    assert.strictEqual(plain.env().ALLOWED_ORIGINS, "http://c.example")
  })

  it("takes further settings as texts, and long names", () => {
    const settings = { BACKUP_EVERY: 24, SVC_WATCH_WORKSPACE_RECURSIVE: true, AGENT_NAME: 'a "b": {c}' }
    assert.deepInclude(render({ ...LEAST, settings }).env(), {
      BACKUP_EVERY: "24",
      SVC_WATCH_WORKSPACE_RECURSIVE: "true",
      AGENT_NAME: 'a "b": {c}'
    })
    const release = `${"a".repeat(31)}-${"b".repeat(21)}`
    const long = render({ ...LEAST, postgresql: { enabled: true } }, { release })
    const names = [...long.all.values()].map(({ metadata }) => metadata.name)
    for (const name of names) assert.isAtMost(name.length, 63)
    const deployed = [...long.all.values()].find(({ kind }) => kind === "Deployment")?.metadata.name
    assert.match(String(long.env(deployed).SVC_INSTANCE), /^[a-z0-9-]{1,32}$/)
  })

  it.live("gives the console settings that it starts with", () =>
    Effect.gen(function* () {
      const made = render({ ...LEAST, ingress: { enabled: true, host: "c.example", tlsSecret: "cert" } })
      const variables = Object.fromEntries(
        Object.entries(made.env()).filter((one): one is [string, string] => typeof one[1] === "string")
      )
      const ended = yield* runConsole({
        directory: yield* temporaryDirectory,
        args: ["doctor", ".", "--json"],
        variables: { ...variables, GATEWAY_TOKEN: "x", GATEWAY_URL: "http://127.0.0.1:1", HOST: "0.0.0.0", PORT: "0" }
      })
      assert.strictEqual(ended.code, exitCodes.unwell, ended.stderr)
    })
  )
})

/** The keywords of JSON Schema that the chart's values are described with. */
const ValuesSchema = Schema.Struct({
  pattern: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
const decodeSchema = Schema.decodeUnknownSync(ValuesSchema)
const decodeObject = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

describe.runIf(canRender)("the schema of the chart's values (needs Go)", () => {
  it("knows every value of values.yaml, and no other", () => {
    const schema: unknown = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"))
    const compare = (value: unknown, described: unknown, path: string): void => {
      const known = decodeSchema(described)
      if (known.pattern !== undefined) assert.match(String(value), new RegExp(known.pattern), path)
      if (known.enum !== undefined) assert.include(known.enum, value, path)
      if (known.properties === undefined) return
      const values = decodeObject(value)
      const { global: _ofHelm, ...names } = known.properties
      assert.sameMembers(Object.keys(values), Object.keys(names), path)
      for (const [name, inner] of Object.entries(names)) compare(values[name], inner, `${path}.${name}`)
    }
    compare(readYaml("helm/agent-console/values.yaml"), schema, "values")
  })
})

describe.runIf(canRender)("the samples that nothing here can run (needs Go)", () => {
  const CONSOLE = "http://127.0.0.1:3080"

  it("for Traefik lead to the console, with one header and time for uploads and streams", () => {
    const entry = readYaml("traefik/traefik.yaml")
    const timeouts = "entryPoints.websecure.transport.respondingTimeouts"
    assert.nestedPropertyVal(entry, `${timeouts}.readTimeout`, "1h")
    assert.nestedPropertyVal(entry, `${timeouts}.writeTimeout`, "0s")
    assert.nestedProperty(entry, "certificatesResolvers.letsencrypt")
    const routes = readYaml("traefik/agent-console.yaml")
    assert.nestedPropertyVal(routes, "http.services.agent-console.loadBalancer.servers[0].url", CONSOLE)
    assert.nestedPropertyVal(routes, "http.services.agent-console.loadBalancer.passHostHeader", true)
    assert.nestedPropertyVal(routes, "http.routers.agent-console.service", "agent-console")
    assert.nestedPropertyVal(routes, "http.routers.agent-console.entryPoints[0]", "websecure")
    assert.nestedPropertyVal(routes, "http.routers.agent-console.tls.certResolver", "letsencrypt")
    assert.nestedPropertyVal(routes, "http.routers.agent-console.middlewares[0]", "agent-console-hsts")
    const header = "http.middlewares.agent-console-hsts.headers.customResponseHeaders.Strict-Transport-Security"
    assert.nestedPropertyVal(routes, header, "max-age=31536000")
  })

  it("for Cloudflare Tunnel and Tailscale Serve lead to the console", () => {
    const tunnel = readYaml("cloudflared/config.yml")
    assert.nestedPropertyVal(tunnel, "ingress[0].service", CONSOLE)
    // Without a last rule for every name, cloudflared doesn't start.
    assert.nestedPropertyVal(tunnel, "ingress[1].service", "http_status:404")
    const serve: unknown = JSON.parse(readFileSync(join(root, "deploy/tailscale/serve.json"), "utf8"))
    assert.deepStrictEqual(serve, {
      TCP: { 443: { HTTPS: true } },
      Web: { "${TS_CERT_DOMAIN}:443": { Handlers: { "/": { Proxy: CONSOLE } } } }
    })
  })
})
