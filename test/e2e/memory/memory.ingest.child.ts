/**
 * Takes a bus's whole history into a store of its own and tells what it took:
 * `node --max-old-space-size=512 --import tsx memory.ingest.child.ts <bus folder>`.
 */
import { openEmbeddedBus } from '../../../platform/bus/embedded.ts'
import { testContext } from '../../kit/context.ts'
import { openTestStore } from '../../kit/store/store.ts'
import { ingestAll } from '../recorded/recorded.helpers.ts'
import { tell, watchMemory } from './memory.peak.ts'

const [, , path = ''] = process.argv
const memory = watchMemory()
const kit = await openTestStore({ readers: 1 })
const bus = await openEmbeddedBus(testContext(), { path })
const began = performance.now()
await ingestAll(kit.store, bus, 'ETH')
const seconds = (performance.now() - began) / 1_000
const [stored] = await kit.store.query<{ blocks: number }>('SELECT toUInt32(count()) AS blocks FROM blocks_all')
await bus.close()
await kit.close()
tell({ ...memory.stop(), seconds, ...stored })
process.exit(0)
