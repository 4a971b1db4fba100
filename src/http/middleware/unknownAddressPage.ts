const STYLE = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
main{max-inline-size:36rem;margin:15vh auto 0;padding:1.5rem}h1{font-size:1.375rem}
pre{padding:.75rem 1rem;border:1px solid;border-radius:10px;overflow:auto;user-select:all}`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * What somebody sees who opens a console without sign-in at an address it doesn't know, such as a proxy's: the line that
 * lets it in, where that goes, and what to restart. `origin` is the address, as far as it can be told.
 */
export const unknownAddressPage = (origin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Console</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The console doesn't know this address</h1>
<p>Sign-in is off, so it only answers at addresses it knows; otherwise other websites could pass for them. If you use this address for your console, add this line to the file
<code>.env</code> in the folder the console starts in, or to its container's environment:</p>
<pre>ALLOWED_ORIGINS=${escaped(origin)}</pre>
<p>If there is such a line, add the address to it after a comma. Then restart the console and reload this page.</p>
<p>Whoever can open this address then gets in without a password. <code>SVC_AUTH=true</code> asks for one.</p>
</main>
</body>
</html>
`
