/**
 * Mistakes that the simulation has to notice: text of a product file and what replaces it while the file is loaded. A text that is
 * no longer there exactly once fails its test; write the mistake anew for what the file says now.
 */
export type Edit = { file: string; find: string; replace: string }
export type Mutant = { name: string; edits: readonly Edit[] }

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'an undo is published without its redo',
    edits: [
      edit(
        'indexer/follow/publish.ts',
        '...pack(blocks).flatMap(encode),\n        ...(finalized',
        '...(undo ? [] : pack(blocks).flatMap(encode)),\n        ...(finalized',
      ),
    ],
  },
  {
    name: 'undone rows stay',
    edits: [edit('scorer/ingest/head.ts', 'return hot.undo(from, offset)', 'return []')],
  },
  {
    name: 'a replay queues no addresses',
    edits: [
      edit(
        'scorer/ingest/chunk-consumer.ts',
        'await publish(chunk, steps, touched)\n    await onStep',
        'if (!replay) await publish(chunk, steps, touched)\n    await onStep',
      ),
    ],
  },
  {
    name: 'an undo queues no addresses',
    edits: [
      edit(
        'scorer/ingest/hot-tier.ts',
        'return withdrawn.map(({ address }) => address)',
        'return withdrawn.slice(0, 0).map(({ address }) => address)',
      ),
    ],
  },
  {
    name: 'a chunk is closed before its rows are in',
    edits: [
      edit(
        'scorer/ingest/chunk-consumer.ts',
        'const { rows, touched, finalized, closed } = await',
        'await ledger.close(chunk, { finalized: 0, rows: 0 })\n    const { rows, touched, finalized, closed } = await',
      ),
    ],
  },
  {
    name: 'the watermark moves without a look at its version',
    edits: [
      edit(
        'scorer/ingest/watermark.ts',
        'if (now?.version !== version || now.state !== next.state || now.target !== next.target) {',
        'if (!now) {',
      ),
    ],
  },
  {
    name: 'a move is not announced to readers',
    edits: [
      edit(
        'scorer/ingest/hot-tier.ts',
        "mark.state === 'moving' ? mark : await watermarks.enter(mark, { state: 'moving', settled: mark.settled, target })",
        '{ ...mark, target }',
      ),
    ],
  },
  {
    name: 'the final mark moves back',
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
    edits: [
      edit(
        'indexer/follow/head.ts',
        'const proven = finalized.number <= tip ? finalized.number : blocks.length > 0 ? tip - 1 : 0',
        'const proven = Math.min(finalized.number, tip) + (blocks.length > 0 ? 1 : 0)',
      ),
    ],
  },
  {
    name: 'a replay takes messages beyond its chunk',
    edits: [
      edit(
        'scorer/ingest/chunk-consumer.ts',
        'if (message.offset > last) break',
        'if (message.offset > last + 1n) break',
      ),
    ],
  },
  {
    name: 'final rows are inserted without a token',
    edits: [edit('scorer/ingest/final-tier.ts', '{ token: `${table}:${name}:${SCHEMA_VERSION}` }', '{}')],
  },
  {
    name: 'a move has no token',
    edits: [
      edit('scorer/ingest/hot-tier.ts', '{ token: `${table}:${network}:${first}-${last}:${SCHEMA_VERSION}` },', '{},'),
    ],
  },
  {
    name: 'two consumers may announce the same chunk',
    edits: [
      edit(
        'scorer/ingest/chunk-consumer.ts',
        'const ours = taken && !taken.done && taken.first === first && taken.last === last',
        'const ours = taken',
      ),
    ],
  },
  {
    name: 'readers do not look twice',
    edits: [edit('scorer/ledger/settled.ts', 'if (await isUnchanged(store, network, version)) return', 'return')],
  },
  {
    name: 'hot rows are dropped above the watermark',
    edits: [edit('scorer/ingest/head.ts', 'await hot.drop(height)', 'await hot.drop(height + 256)')],
  },
  {
    name: 'the queue is committed before records are stored',
    edits: [
      edit(
        'scorer/rescore-stream.ts',
        'const addresses = [...queued]',
        'await batch.commit(last.offset + 1n)\n    const addresses = [...queued]',
      ),
    ],
  },
  {
    name: 'a send whose outcome is unknown is taken for done',
    edits: [
      edit('indexer/follow/publish.ts', 'await open.send(sends)', 'await open.send(sends).catch(() => undefined)'),
    ],
  },
]
