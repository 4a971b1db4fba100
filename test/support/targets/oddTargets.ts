/** A request target, one character a byte, and the name of its kind. */
export interface OddTarget {
  readonly form: string
  readonly target: string
}

const hex = (character: string, isLower = false): string => {
  const digits = character.charCodeAt(0).toString(16).padStart(2, "0")
  return `%${isLower ? digits : digits.toUpperCase()}`
}

/** Bytes that UTF-8 text is sent as. */
const bytes = (text: string): string => Buffer.from(text).toString("latin1")

/** Put in front of a path, with its first slash and without it. */
const PREFIXES = [
  ...["", "*", "**", "*/", "*?", "*#", "*;", ".", "..", "./", "../", "../../", ".../", "\\", "\\\\", ".\\", "..\\"],
  ...["%2f", "%2F", "%5c", "%252f", "%c0%af", "%e0%80%af", "%f0%80%80%af", "%uff0f", "%2e", "%2e%2e/", "%00", "%20"],
  ...["%09", "%0d%0a", "%", "%%", "%z", "%zz", "%2", "%ff", "%C0%80", "%EF%BB%BF", "%EF%BC%8F"],
  ...[";", ";/", "?", "?/", "#", "#/", "&", "@", "~", "-", "_", "+", ",", "=", "!", "$", "'", '"', "(", ")"],
  ...["[", "]", "{", "}", "|", "^", "`", "<", ">", ":", "::", ":/", "://", ":///", "0", "a", "A", "x:", "x@"],
  ...["\t", " ", "  ", "\0", "\x01", "\x0b", "\x0c", "\x1f", "\x7f", "\x80", "\x85", "\xa0", "\xc0\xaf", "\xff"],
  ...["\ufeff", "\u2044", "\u2215", "\uff0f", "\u3002", "\u200b", "\u202e"].map(bytes)
]

/** Put in front of a path without its first slash. */
const LEADS = [
  ...["//", "///", "////", "/./", "/././", "/../", "/../../", "/.//", "//./", "//../", "/%2e/", "/%2E/", "/%2e%2e/"],
  ...["/.%2e/", "/%2e./", "/%252e%252e/", "/%c0%ae/", "/\\", "/\\/", "\\/", "/%5c", "/%5C/", "/%2f", "/%2F/", "/%2f/"],
  ...["/;/", "/;", "/;x/", "/;x=y/", "/?/", "/?", "/#/", "/#", "/*", "/*/", "/**/", "/:/", "/@/", "/%/", "/%zz/"],
  ...["/%00/", "/%00", "/%20", "/%20/", "/%09", "/%0a", "/%0d%0a", "/%7f", "/%ff/", "/.;/", "/..;/", "/..;x/"],
  ...["/x/../", "/x/%2e%2e/", "/x/..%2f", "/x/..\\", "/x\\..\\", "/x/..;/", "/x/../../", "/./x/.././"],
  ...["/index.html/../", "/index.html/..;/", "/index.html?/../", "/index.html#/../", "/index.html;/../"],
  ...[
    "/assets/../",
    "/assets/%2e%2e/",
    "/assets/..%2f",
    "/health/../",
    "/health/..;/",
    "/health;/../",
    "/health%2f../"
  ],
  ...["/api/version/../../", "/api/version/%2e%2e/%2e%2e/", "/api/version/..%2f..%2f", "/api/version;/../../"],
  ...[
    "/api/auth/../../",
    "/api/auth/%2e%2e/%2e%2e/",
    "/api/auth/..%2f..%2f",
    "/api/auth/..;/..;/",
    "/api/auth/\\..\\..\\"
  ],
  ...["/ws/../", "/mcp/../", "/api/../", "/api/./../", "/api/api/../../"],
  ...["/\t", "/\0", "/\x01", "/\x7f", "/\x80", "/\xff", "/ "]
]

/** Put behind a path. */
const TAILS = [
  ...[
    "/",
    "//",
    "/.",
    "/..",
    "/./",
    "/../",
    "/x/..",
    "/%2e",
    "/%2e%2e",
    "%2f",
    "%5c",
    "\\",
    "\\..",
    ".",
    "..",
    ".json"
  ],
  ...["~", "*", ":", "@", "%", "%z", "%2", "%00", "%00.js", "%20", "%09", "%0a", "%0d%0aHost:%20x", "%ff", "%c0%ae"],
  ...[";", ";x", ";x=y", ";/", ";.js", ";/../x", "?", "??", "?x", "?%", "?%zz", "?/../x", "?#", "#", "#x", "#/../x"],
  ...[
    "?x=/health",
    "#/health",
    ";/health",
    "/../health",
    "/..;/health",
    "?x=\t",
    "\t",
    "\0",
    "\x01",
    "\x7f",
    "\x80",
    "\xff",
    " "
  ]
]

/** Put in the place of a slash of a path. */
const SLASHES = [
  ...[
    "//",
    "///",
    "/./",
    "/../",
    "/x/../",
    "/%2e/",
    "/%2e%2e/",
    "/.%2e/",
    "/..;/",
    "/;/",
    ";/",
    ";x=y/",
    "/%00/",
    "%00/"
  ],
  ...["\\", "/\\", "\\/", "\\\\", "%2f", "%2F", "%5c", "%252f", "%25%32%66", "%c0%af", "%e0%80%af", "%u002f"],
  ...["%/", "%zz/", "%2/", "%20/", "%09/", "\t/", "\0/", "\x80/", "?/", "#/", ":/", "*/"]
]

/** In front of the console's own address. */
const SCHEMES = [
  ...["http", "HTTP", "hTtP", "https", "HTTPS", "ws", "wss", "ftp", "ftps", "file", "gopher", "javascript", "data"],
  ...["blob", "blob:http", "view-source", "about", "mailto", "urn", "unix", "h2", "http+unix", "coap", "x", "1http"],
  ...["-http", "http ", " http", "ht\ttp", "http\t", "\x01http", "ht%74p", "http%3a", "httpx", "htt", "*http"]
]

/** Between scheme and path, given the console's own host and port. */
const authoritiesOf = (host: string): ReadonlyArray<string> => {
  const [name = "", port = ""] = host.split(":")
  const own = [
    ...["", " ", "%", "%zz", "%00", "%2f", "*", ".", "..", "-", "_", "?", "#", ":", "::", "@", "/", "//", "\\", "\\\\"],
    ...[`@${host}`, `x@${host}`, `x:y@${host}`, `:@${host}`, `@@${host}`, `%@${host}`, `x%40y@${host}`, `x/@${host}`],
    ...[
      `${host}@evil.example`,
      `${host}\\@evil.example`,
      `${host}#@evil.example`,
      `${host}:${port}`,
      `${host}%`,
      `${host}.`
    ],
    ...[
      `${host}\t`,
      `\t${host}`,
      `${host}\0`,
      `${host}%00`,
      `${host}%2f`,
      `${host}\\`,
      `${host};`,
      `${host};x`,
      `${host},`
    ],
    ...[`${name}.:${port}`, `${name}..:${port}`, `${name}:0${port}`, `${name}%2e:${port}`, `${name}`, `${name}:`],
    ...[`${name}:0`, `${name}:1`, `${name}:99999`, `${name}:-1`, `${name}:+${port}`, `${name}:${port}x`, `${name}:x`],
    ...[
      `${name}:${"9".repeat(40)}`,
      `${name}:%38%30`,
      `${name} :${port}`,
      `${name}: ${port}`,
      `${name}:80`,
      `${name}:443`
    ],
    ...[
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f000001:${port}`,
      `0177.0.0.1:${port}`,
      `127.0.0.1.evil.example:${port}`
    ],
    ...[
      `256.0.0.1:${port}`,
      `127.0.0.1.1:${port}`,
      `0:${port}`,
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `localhost.:${port}`
    ],
    ...[
      `[::1]:${port}`,
      `::1:${port}`,
      `[::1`,
      `::1]`,
      `[::1]x:${port}`,
      `[]:${port}`,
      `[:]:${port}`,
      `[::1%25lo]:${port}`
    ],
    ...[`[::1%lo]:${port}`, `[fe80::1%eth0]:${port}`, `[::ffff:127.0.0.1]:${port}`, `[v1.x]:${port}`, `[::g]:${port}`],
    ...[
      "evil.example",
      `evil.example:${port}`,
      "evil.example.",
      "EVIL.example",
      "192.0.2.1",
      "xn--",
      "xn--a:1",
      "a b",
      "a<b"
    ],
    ...["a^b", "a|b", "a%20b", "a..b", ".evil.example", "e".repeat(64), `${"e.".repeat(200)}example`, "user@"],
    ...["b\u00fccher.example", "\uff0e", "\u3002", `127\u30020\u30020\u30021:${port}`, "\u00ad", "\u2100"].map(bytes)
  ]
  return own.flatMap((authority) => (authority === host ? [] : [authority]))
}

/** Characters that no target may have, and those beyond ASCII; a line's end is left out, as it starts another line. */
const STRANGE = [
  ...Array.from({ length: 0x21 }, (_, code) => code).filter((code) => code !== 0x0a && code !== 0x0d),
  ...[0x22, 0x3c, 0x3e, 0x5c, 0x5e, 0x60, 0x7b, 0x7c, 0x7d, 0x7f, 0x80, 0x85, 0xa0, 0xad, 0xc0, 0xc3, 0xe2, 0xf0, 0xff]
].map((code) => String.fromCharCode(code))

const slashesOf = (path: string): ReadonlyArray<number> =>
  [...path].flatMap((character, at) => (character === "/" ? [at] : []))

const splice = (text: string, at: number, length: number, put: string): string =>
  text.slice(0, at) + put + text.slice(at + length)

const escapesOf = (path: string): ReadonlyArray<string> => {
  const characters = [...path]
  return [
    ...characters.map((character, at) => splice(path, at, 1, hex(character))),
    ...characters.map((character, at) => splice(path, at, 1, hex(character, true))),
    ...characters.map((character, at) => splice(path, at, 1, hex(character).replace("%", "%25"))),
    characters.map((character) => hex(character)).join(""),
    `/${characters
      .slice(1)
      .map((character) => hex(character))
      .join("")}`,
    path.slice(1).replaceAll(/[^/]/g, (character) => hex(character)),
    // Longer than UTF-8 allows: two and three bytes for an ASCII character.
    ...[0, 1, 2].map((at) => {
      const code = path.charCodeAt(at)
      return splice(path, at, 1, `%${(0xc0 | (code >> 6)).toString(16)}%${(0x80 | (code & 63)).toString(16)}`)
    }),
    ...[0, 1].map((at) => splice(path, at, 1, `%e0%${(0x80 | (path.charCodeAt(at) >> 6)).toString(16)}%af`))
  ]
}

const inTheMiddle = (path: string): ReadonlyArray<string> =>
  slashesOf(path).flatMap((at) => SLASHES.map((put) => splice(path, at, 1, put)))

const casesOf = (path: string): ReadonlyArray<string> => {
  const letters = [...path].flatMap((character, at) => (/[a-z]/.test(character) ? [at] : []))
  return [path.toUpperCase(), ...letters.map((at) => splice(path, at, 1, path.charAt(at).toUpperCase()))]
}

const longOf = (path: string): ReadonlyArray<string> => [
  `${path}/${"a".repeat(9_000)}`,
  `${"/".repeat(9_000)}${path.slice(1)}`,
  `${"/x/..".repeat(1_500)}${path}`,
  `*${"a".repeat(9_000)}${path}`,
  `http://${"a".repeat(9_000)}${path}`,
  `${path}?${"%".repeat(9_000)}`,
  `${path}${"%2f".repeat(3_000)}`,
  `${path}${";".repeat(70_000)}`
]

/** Absolute forms, and what looks like one. */
const absoluteOf = (path: string, host: string): ReadonlyArray<string> => [
  ...SCHEMES.map((scheme) => `${scheme}://${host}${path}`),
  ...["http", "HTTPS", "file", "javascript", "data", "blob:http", "x"].flatMap((scheme) => [
    `${scheme}:${path}`,
    `${scheme}:${path.slice(1)}`,
    `${scheme}:/${path}`,
    `${scheme}:///${path}`
  ]),
  ...authoritiesOf(host).flatMap((authority) => [`http://${authority}${path}`]),
  ...["%", "", host].flatMap((authority) => [
    `https://${authority}${path}`,
    `HTTP://${authority}${path}`,
    `//${authority}${path}`,
    `/\\${authority}${path}`,
    `\\\\${authority}${path}`,
    `http:${authority}${path}`,
    `http:/${authority}${path}`,
    `http:\\\\${authority}${path}`,
    `http:///${authority}${path}`,
    `http://${authority}${path.replaceAll("/", "\\")}`,
    `http://${authority}/${path}`,
    `http://${authority}/.${path}`,
    `http://${authority}/x/..${path}`,
    `http://${authority}/%2e%2e${path}`,
    `http://${authority}?${path}`,
    `http://${authority}#${path}`,
    `http://${authority};${path}`,
    `http://${authority}\t${path}`,
    `http://${authority}/\t${path.slice(1)}`,
    `http://${authority}${splice(path, 2, 0, "\t")}`,
    `http://${authority}${splice(path, 1, 1, hex(path.charAt(1)))}`,
    `http://${authority}/health/..${path}`,
    `http://${authority}/*${path}`,
    `/http://${authority}${path}`,
    `*http://${authority}${path}`,
    ` http://${authority}${path}`,
    `${authority}${path}`,
    `${authority}`
  ])
]

/** A path in every form that has ever been read differently by two programs; the same ones each time. */
export const oddTargets = (path: string, host: string): ReadonlyArray<OddTarget> => {
  const bare = path.slice(1)
  const all = {
    plain: [path],
    prefix: PREFIXES.flatMap((prefix) => [prefix + bare, prefix + path]),
    lead: LEADS.map((lead) => lead + bare),
    tail: TAILS.flatMap((tail) => [path + tail]),
    escape: escapesOf(path),
    slash: inTheMiddle(path),
    case: casesOf(path),
    strange: STRANGE.flatMap((character) => [splice(path, 2, 0, character), path + character, character + path]),
    long: longOf(path),
    absolute: absoluteOf(path, host)
  }
  const seen = new Set<string>()
  return Object.entries(all).flatMap(([form, targets]) =>
    targets.flatMap((target) => {
      if (target === "" || seen.has(target)) return []
      seen.add(target)
      return [{ form, target }]
    })
  )
}

/** Pieces of which the fuzz test builds targets of its own. */
export const PIECES = {
  prefixes: PREFIXES,
  leads: LEADS,
  tails: TAILS,
  slashes: SLASHES,
  schemes: SCHEMES,
  authoritiesOf
}
