/**
 * Who may import whom (ARCHITECTURE.md, "The house"). The rules follow from file names and folders alone: a new module
 * needs no line here. `npm test` runs them by scripts/boundaries.ts, whose own test plants a breach of each.
 */

const PURE = '^(core|modules)/.+\\.ts$'
const NOT_PURE = '\\.(server|test|d)\\.ts$'
const SERVER = '\\.server\\.ts$'
const BROWSER = '\\.tsx$'
/** What runs in a browser only. */
const BROWSER_PACKAGES = '(^|/)node_modules/(react|react-dom|react-router|antd|@ant-design/icons|@tanstack/react-[^/]+)/'
/** What other modules may use of a module: pure, on the server, in the browser. */
/** Tests and what only they use may look at everything. */
const TESTS = '(\\.test\\.tsx?|testing\\.server\\.ts)$'
const DOOR = '^modules/[^/]+/(module\\.ts|door\\.server\\.ts|door\\.tsx)$'
/** `import type` may cross sides: nothing of it is left when the program runs. */
const ERASED = ['type-only']

module.exports = {
  forbidden: [
    {
      name: 'pure-runs-anywhere',
      comment: 'x.ts runs in the browser and in Node: it imports neither half of anything. Move what needs one into x.server.ts or x.tsx.',
      severity: 'error',
      from: { path: PURE, pathNot: NOT_PURE },
      to: { path: `${SERVER}|${BROWSER}|${BROWSER_PACKAGES}`, dependencyTypesNot: ERASED },
    },
    {
      name: 'pure-without-node',
      comment: 'x.ts runs in the browser too, where Node is not. Move what needs Node into x.server.ts.',
      severity: 'error',
      from: { path: PURE, pathNot: NOT_PURE },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ERASED },
    },
    {
      name: 'server-without-browser',
      comment: 'x.server.ts runs in Node: it imports no component. Put what both need into x.ts.',
      severity: 'error',
      from: { path: SERVER },
      to: { path: `${BROWSER}|${BROWSER_PACKAGES}`, dependencyTypesNot: ERASED },
    },
    {
      name: 'browser-without-server',
      comment: 'x.tsx runs in the browser: it takes types of the server at most. Put what both need into x.ts.',
      severity: 'error',
      from: { path: `${BROWSER}|^main\\.tsx$` },
      to: { path: SERVER, dependencyTypesNot: ERASED },
    },
    {
      name: 'browser-without-node',
      comment: 'x.tsx runs in the browser, where Node is not.',
      severity: 'error',
      from: { path: BROWSER },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ERASED },
    },
    {
      name: 'core-knows-no-module',
      comment: 'core/ is what modules are made from: it knows none of them. Hand over what it needs, as main.server.ts and main.tsx do.',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/testing/' },
      to: { path: '^modules/' },
    },
    {
      name: 'module-by-its-door',
      comment: 'A module knows of another what its door says (module.ts, door.server.ts, door.tsx), and the tables that lie beside the modules.',
      severity: 'error',
      from: { path: '^modules/([^/]+)/', pathNot: TESTS },
      to: { path: '^modules/[^/]+/', pathNot: ['^modules/$1/', DOOR] },
    },
    {
      name: 'modules-without-cycle',
      comment: 'Two modules that need each other are one module, or need a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^modules/[^/]+$' },
      to: { circular: true, path: '^modules/[^/]+$' },
    },
    {
      name: 'no-file-cycle',
      comment: 'Files that import each other in a circle run in an order that nobody sees.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ERASED } },
    },
    {
      name: 'outgoing-alone',
      comment: 'Requests that leave the house go through core/outgoing, which checks where they lead. Use kernel.outgoing.',
      severity: 'error',
      from: { path: '^(core|modules)/', pathNot: '^core/outgoing/' },
      to: { path: '(^|/)node_modules/undici/' },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere, or to a package that package.json does not name.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type-only imports are looked at too: some rules hold for them as well.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    metrics: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'] },
  },
}
