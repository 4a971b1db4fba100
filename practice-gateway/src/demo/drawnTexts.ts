/** A text with a diagram. */
export const DIAGRAM_TEXT = `This is how a message of yours becomes an answer:

\`\`\`mermaid
flowchart LR
  accTitle: How a message becomes an answer
  you([You]) --> console[Console]
  console --> gateway[Gateway]
  gateway --> agent{Agent}
  agent -- needs a tool --> tool[Tool]
  tool --> agent
  agent -- knows enough --> answer([Answer])
\`\`\`

Its code is one click away, and it follows your theme.`

/** A text with formulas. */
export const FORMULA_TEXT = `A lighthouse whose lamp is $h$ metres above the sea is seen from about

$$
d = \\sqrt{2Rh + h^2} \\approx 3.57 \\sqrt{h} \\ \\text{km}
$$

away, where $R$ is the radius of the Earth. With $h = 25$ that makes $3.57 \\cdot 5 \\approx 18$ kilometres. A ticket to the top is $5 for children and $10 for everybody else: prices stay prices.`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The lamp</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #10243a; color: #f6ecd9; font: 16px system-ui, sans-serif; }
  main { display: grid; justify-items: center; gap: 24px; }
  .lamp { width: 120px; height: 120px; border-radius: 50%; background: #ffd76a; animation: wink 4s infinite; }
  button { padding: 10px 18px; border: 0; border-radius: 8px; background: #f6ecd9; color: #10243a; font: inherit; }
  @keyframes wink { 0%, 90% { box-shadow: 0 0 90px #ffd76a; } 95% { opacity: 0.3; } }
</style>
</head>
<body>
<main>
  <div class="lamp"></div>
  <p>The lamp has winked <b id="count">0</b> times.</p>
  <button onclick="wink()">Wink</button>
</main>
<script>
  let count = 0
  function wink() {
    document.getElementById("count").textContent = ++count
  }
</script>
</body>
</html>`

/** A text with a page of its own. */
export const PAGE_TEXT = `I made you a small page. Choose **Preview** to see it beside our conversation:

\`\`\`html
${PAGE}
\`\`\`

Its button needs a script, so it works once you run the page in a tab of its own.`
