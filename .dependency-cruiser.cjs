// Imports point downwards only: schema <- platform <- indexer | scorer <- api <- deploy.
const rule = (from, to) => ({
  name: `${from}-not-${to.join('-or-')}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: `^(${to.join('|')})/` },
})
module.exports = {
  forbidden: [
    rule('schema', ['platform', 'indexer', 'scorer', 'api', 'deploy', 'test']),
    rule('platform', ['indexer', 'scorer', 'api', 'deploy']),
    rule('indexer', ['scorer', 'api', 'deploy']),
    rule('scorer', ['indexer', 'api', 'deploy']),
    rule('api', ['indexer', 'deploy']),
    {
      name: 'product-not-test',
      severity: 'error',
      from: { path: '^(schema|platform|indexer|scorer|api|deploy)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'demo-loaded-only-where-played',
      comment: 'Container images leave deploy/demo out: import it dynamically, through deploy/load-demo.ts.',
      severity: 'error',
      from: { pathNot: '^(deploy/demo|test)/' },
      to: { path: '^deploy/demo/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: 'node_modules',
  },
}
