/** A source as the follow loop takes it: its blocks come packed. */
import { type PackedBlock, packBlock } from '../../schema/packed.ts'
import type { Source } from './source.ts'

/** A source whose blocks have their rows as messages carry them. */
export type PackedSource = Omit<Source, 'block' | 'packed'> & {
  block: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<PackedBlock | undefined>
}

/** Packs what the source decodes, unless the source packs by itself. */
export const packedSource = ({ block, packed, ...source }: Source): PackedSource => ({
  ...source,
  block:
    packed ??
    (async (at, signal) => {
      const decoded = await block(at, signal)
      return decoded && packBlock(decoded)
    }),
})
