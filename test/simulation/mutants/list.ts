/**
 * Bugs that the simulation must detect: text of a product file and its replacement while the file is loaded. If a text no
 * longer occurs exactly once, its test fails; adapt the mutant to the file then.
 */
export type Edit = { file: string; find: string; replace: string }
/** Those marked for the night are played by `npm run test:nightly` only. */
export type Mutant = { name: string; edits: readonly Edit[]; nightly?: true }

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'an undo is published without its redo',
    edits: [
      edit(
        'indexer/follow/publish.ts',
        '...pack(blocks).flatMap(encodePacked),\n        ...(finalized',
        '...(undo ? [] : pack(blocks).flatMap(encodePacked)),\n        ...(finalized',
      ),
    ],
  },
  {
    name: 'undone rows stay',
    nightly: true,
    edits: [edit('scorer/ingest/head.ts', 'return hot.undo(from, offset)', 'return []')],
  },
  {
    name: 'an undo queues no addresses',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/tiers/hot-tier.ts',
        'return withdrawn.map(({ address }) => address)',
        'return withdrawn.slice(0, 0).map(({ address }) => address)',
      ),
    ],
  },
  {
    name: 'the final mark moves back',
    nightly: true,
    edits: [
      edit(
        'indexer/follow/publish.ts',
        'encodeFinal(network, finalized.number, finalized.hash)',
        'encodeFinal(network, finalized.number - (blocks.length > 1 ? 3 : 0), finalized.hash)',
      ),
    ],
  },
  {
    name: 'the finalized block is believed without the block above it',
    nightly: true,
    edits: [
      edit(
        'indexer/follow/head.ts',
        'const proven = finalized.number <= tip ? finalized.number : 0',
        'const proven = Math.min(finalized.number, tip)',
      ),
    ],
  },
  {
    name: 'a replay takes messages beyond its chunk',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/chunks/consumer.ts',
        'if (message.offset > last) break',
        'if (message.offset > last + 1n) break',
      ),
    ],
  },
  {
    name: 'hot rows are dropped above the watermark',
    nightly: true,
    edits: [edit('scorer/ingest/head.ts', 'await hot.drop(height)', 'await hot.drop(height + 256)')],
  },
  {
    name: 'the queue is committed before records are stored',
    edits: [
      edit(
        'scorer/rescore/stream.ts',
        'const addresses = [...queued]',
        'await batch.commit(last.offset + 1n)\n    const addresses = [...queued]',
      ),
    ],
  },
  {
    name: 'a send whose outcome is unknown is taken for done',
    nightly: true,
    edits: [
      edit('indexer/follow/publish.ts', 'await open.send(sends)', 'await open.send(sends).catch(() => undefined)'),
    ],
  },
  {
    name: 'a replay queues no addresses',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/chunks/consumer.ts',
        'const again = readSteps(await readRange(network, bus, latest)).steps',
        'const again = readSteps(await readRange(network, bus, latest)).steps\n        again.forEach((step) => step.kind === "new" && step.decoded.touched.splice(0))',
      ),
    ],
  },
  {
    name: 'a chunk is closed before its rows are in',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/chunks/consumer.ts',
        'const { rows, touched, finalized, published, closed } = await',
        'await ledger.close(chunk, { finalized: 0, rows: 0 })\n    const { rows, touched, finalized, published, closed } = await',
      ),
    ],
  },
  {
    name: 'a move is not announced to readers',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/tiers/hot-tier.ts',
        "mark.state === 'moving' ? mark : await watermarks.enter(mark, { state: 'moving', settled: mark.settled, target })",
        '{ ...mark, target }',
      ),
    ],
  },
  {
    name: 'inserts into final tables have no token',
    edits: [edit('scorer/ingest/tiers/final-tier.ts', 'token: `$', 'forgotten: `$')],
  },
  {
    name: 'the facts of a chunk have no token',
    nightly: true,
    edits: [edit('scorer/ingest/tiers/final-tier.ts', 'token: `facts', 'forgotten: `facts')],
  },
  {
    name: 'the facts of a move have no token',
    nightly: true,
    edits: [edit('scorer/ingest/tiers/hot-tier.ts', 'token: `facts', 'forgotten: `facts')],
  },
  {
    name: 'a move has no token',
    nightly: true,
    edits: [edit('scorer/ingest/tiers/hot-tier.ts', ', { token })', ', {})')],
  },
  {
    name: 'a gap below the head is accepted',
    nightly: true,
    edits: [
      edit('scorer/ingest/position/continuity.ts', 'return holes.length === 0', 'return holes.length >= 0'),
      edit(
        'scorer/ingest/position/continuity.ts',
        'if (ownHash !== block.parentHash) {',
        'if (ownHash !== undefined && ownHash !== block.parentHash) {',
      ),
    ],
  },
  {
    name: 'blocks are covered before their rows are in',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/tiers/final-tier.ts',
        "await onStep('claimed')",
        "await covered.cover(by, blocks.filter(({ number }) => take.has(number)))\n    await onStep('claimed')",
      ),
    ],
  },
  {
    name: 'the head goes on before history is through',
    edits: [
      edit('scorer/ingest/position/continuity.ts', 'const isPresent = settle(', 'const isPresent = 1 > 0 || settle('),
    ],
  },
  {
    name: 'chunks of two partitions share a token',
    nightly: true,
    edits: [
      edit(
        'scorer/ingest/chunks/chunks.ts',
        'export const chunkId = (chunk: Chunk, epoch: number): string =>',
        'export const chunkId = (chunk: Chunk, epoch: number): string => chunk.first + "-" + chunk.last ||',
      ),
    ],
  },
  {
    name: 'wallets that were not sure of authorities are not scored again once they can be',
    nightly: true,
    edits: [
      edit(
        'scorer/rescore/by-unknown.ts',
        'rescoreMessages(rows.map(({ address }) => address))',
        'rescoreMessages([])',
      ),
    ],
  },
  {
    name: 'a walk that goes on leaves blocks out',
    nightly: true,
    edits: [
      edit('indexer/history/authorities/plan.ts', 'to: was.to, next: was.to + 1', 'to: was.to + 3, next: was.to + 4'),
    ],
  },
]
