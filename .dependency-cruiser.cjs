// Imports point downwards only: schema <- platform <- indexer | scorer <- api <- deploy. Inside scorer:
// ledger <- detection <- scoring <- rescore <- contracts | profile; ingest stands beside them, and only deploy imports it.
const rule = (from, to) => ({
  name: `${from}-not-${to.join('-or-')}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: `^(${to.join('|')})/` },
})
/** What each room of the scorer may import of the scorer. The rescore queue is a leaf that any of them may write to. */
const RESCORE = [
  'rescore/rescore\\.ts',
  'rescore/queue\\.ts',
  'rescore/by-unknown\\.ts',
  'rescore/stream\\.ts',
  'rescore/after-logs\\.ts',
  'rescore/after-history\\.ts',
  'rescore/receivers\\.ts',
  'rescore/gather\\.ts',
]
const MAY_IMPORT = {
  'ingest/': ['ingest/', 'rescore/queue\\.ts'],
  'ledger/': ['ledger/'],
  'detection/': ['ledger/', 'detection/'],
  'scoring/': ['ledger/', 'detection/', 'scoring/'],
  'rescore/rescore\\.ts': ['ledger/', 'scoring/'],
  'rescore/queue\\.ts': [],
  'rescore/by-unknown\\.ts': ['rescore/queue\\.ts'],
  'rescore/after-logs\\.ts': ['ledger/', 'rescore/by-unknown\\.ts'],
  'rescore/after-history\\.ts': ['ledger/', 'rescore/by-unknown\\.ts'],
  'rescore/receivers\\.ts': ['ledger/', 'scoring/', 'rescore/queue\\.ts'],
  'rescore/gather\\.ts': [],
  'rescore/stream\\.ts': [
    'ledger/',
    'scoring/',
    'rescore/rescore\\.ts',
    'rescore/after-logs\\.ts',
    'rescore/after-history\\.ts',
    'rescore/receivers\\.ts',
    'rescore/gather\\.ts',
  ],
  'contracts/': ['ledger/', 'scoring/', 'contracts/', ...RESCORE],
  'profile/': ['ledger/', 'scoring/', 'profile/', ...RESCORE],
}
const rooms = Object.entries(MAY_IMPORT).map(([from, to]) => ({
  name: `rooms-of-scorer-${from.replace(/\W/g, '')}`,
  severity: 'error',
  // A test beside its subject may look at the whole way of a record.
  from: { path: `^scorer/${from}`, pathNot: '\\.test\\.ts$' },
  to: { path: '^scorer/', pathNot: to.map((room) => `^scorer/${room}`) },
}))
module.exports = {
  forbidden: [
    rule('schema', ['platform', 'indexer', 'scorer', 'api', 'deploy', 'test']),
    rule('platform', ['indexer', 'scorer', 'api', 'deploy']),
    rule('indexer', ['scorer', 'api', 'deploy']),
    rule('scorer', ['indexer', 'api', 'deploy']),
    rule('api', ['indexer', 'deploy']),
    ...rooms,
    {
      name: 'rooms-of-scorer-closed',
      comment: 'Every file of the scorer is in a room that has a rule above.',
      severity: 'error',
      from: {},
      to: { path: '^scorer/', pathNot: Object.keys(MAY_IMPORT).map((room) => `^scorer/${room}`) },
    },
    {
      name: 'ingest-only-from-deploy',
      comment: 'Readers of the tables never import from the room of their writer.',
      severity: 'error',
      from: { path: '^(indexer|scorer|api)/', pathNot: '^scorer/ingest/' },
      to: { path: '^scorer/ingest/' },
    },
    {
      name: 'product-not-test',
      comment: 'The demonstration of all networks plays on the nodes that tests have. Container images leave both out.',
      severity: 'error',
      from: {
        path: '^(schema|platform|indexer|scorer|api|deploy)/',
        pathNot: ['\\.test\\.ts$', '^deploy/demo/networks/'],
      },
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
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: 'node_modules',
  },
}
