/** A change to Qwik's core: what is recognised in its source, and what replaces it. */
interface Change {
  readonly what: string
  readonly pattern: RegExp
  readonly replacement: string
}

const HEAL = `
  containerState.$hostsStaging$.forEach((host) => containerState.$hostsNext$.add(host));
  containerState.$hostsStaging$.clear();
  containerState.$hostsRendering$ = void 0;
  containerState.$renderPromise$ = void 0;
  dispatchEvent(new CustomEvent("qheal", { detail: err }));
  if (containerState.$hostsNext$.size + containerState.$taskNext$.size + containerState.$opsNext$.size > 0)
    setTimeout(() => scheduleFrame(containerState), 16);
`

/**
 * A throwing task leaves Qwik 1.20's scheduler locked, which freezes every component for good. Here the pending work is
 * scheduled again, and a `qheal` event with the error is dispatched on `window`.
 */
const recovery: Change = {
  what: "the last catch of renderMarked",
  pattern: /(catch \(err\) \{\s*logError\(err\);)(\s*\}\s*\};\s*const getFlags)/,
  replacement: `$1${HEAL}$2`
}

/**
 * An update of a text or an attribute waits until the components are drawn, and subscribes its element again, also an
 * element that was removed meanwhile. Such a subscription never ends: it keeps the removed element, and through it the
 * whole tree it was part of. So the updates of removed elements are dropped.
 */
const noUpdatesOfRemoved: ReadonlyArray<Change> = [
  {
    what: "the start of cleanupTree",
    pattern: /const cleanupTree = \(([^)]*)\) => \{\s*if \(subsManager\.\$clearSub\$\(elm\), isQwikElement\(elm\)\) \{/,
    replacement:
      "const removedNodes = new WeakSet();\nconst cleanupTree = ($1) => {\n    removedNodes.add(elm);\n    if (subsManager.$$clearSub$$(elm), isQwikElement(elm)) {"
  },
  {
    what: "the removal of a node",
    pattern: /const removeNode = \(staticCtx, el\) => \{/,
    replacement: "const removeNode = (staticCtx, el) => {\n    removedNodes.add(el);"
  },
  {
    what: "the update of a text or an attribute",
    pattern: /const executeSignalOperation = \(rCtx, operation\) => \{/,
    replacement:
      "const executeSignalOperation = (rCtx, operation) => {\n    if (removedNodes.has(operation[operation[0] === 1 ? 1 : 3])) return;"
  }
]

/** A task keeps the render it last ran in, and with it everything that was drawn then. So a finished render is emptied. */
const emptyRenders: Change = {
  what: "the end of postRendering",
  pattern: /containerState\.\$hostsStaging\$\.clear\(\), containerState\.\$hostsRendering\$ = void 0,/,
  replacement: "$&\n    emptyRender(rCtx.$$static$$),"
}
const emptyRender: Change = {
  what: "postRendering",
  pattern: /const postRendering = async/,
  replacement: `const emptyRender = (drawn) => {
    drawn.$$hostElements$$.clear();
    for (const list of [drawn.$$operations$$, drawn.$$postOperations$$, drawn.$$roots$$, drawn.$$visited$$, drawn.$$addSlots$$, drawn.$$rmSlots$$])
        list.length = 0;
};

$&`
}

/**
 * Every component has a template for its children until it is on the page. It's made when something is put into it and
 * let go when the children leave it; otherwise an answer of the agent holds about fifty empty ones.
 */
const templatesOnDemand: ReadonlyArray<Change> = [
  {
    what: "the template of a virtual element",
    pattern: /(\n {4}\$attributes\$;)\n {4}\$template\$;\n/,
    replacement:
      '$1\n    $$held$$ = null;\n    get $$template$$() {\n        return this.$$held$$ ??= createElement(this.ownerDocument, "template", !1);\n    }\n'
  },
  {
    what: "the first template of a virtual element",
    pattern: /this\.\$template\$ = createElement\(doc, "template", !1\), /,
    replacement: ""
  },
  {
    what: "the insertion of a virtual element",
    pattern:
      /newParent\.insertBefore\(this\.close, child\), assertEqual\(this\.\$template\$\.childElementCount, 0, "children should be empty"\);/,
    replacement: "newParent.insertBefore(this.close, child), this.$$held$$ = null;"
  }
]

const CHANGES: ReadonlyArray<Change> = [
  recovery,
  ...noUpdatesOfRemoved,
  emptyRenders,
  emptyRender,
  ...templatesOnDemand
]

/** Qwik's core source with the changes made, or what isn't there exactly once in it. */
export const changedCore = (source: string): { readonly code: string } | { readonly missing: string } => {
  let code = source
  for (const { what, pattern, replacement } of CHANGES) {
    if (source.match(new RegExp(pattern, "g"))?.length !== 1) return { missing: what }
    code = code.replace(pattern, replacement)
  }
  return { code }
}
