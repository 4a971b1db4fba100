/** The reference page's styles, light and dark. */
export const REFERENCE_STYLE = `
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
